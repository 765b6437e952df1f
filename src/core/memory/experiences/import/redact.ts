import { PatternFilter } from '../../../ground/pattern-filter'
import { DRAWN_SECRETS } from './drawn-secrets'
import { getRemoval, instead, type RedactionRule as Rule } from './redaction-rule'
import { isSecretByName } from './secret-names'

/** How many secrets of each kind were taken out. */
export type Redactions = Readonly<Record<string, number>>

const home = (): string => '~'

/** A header of a web token is at least this long. */
const TOKEN_HEADER = 11

/** The run of letters before the first dot may begin with something else, such as a name and a dash. */
function withoutToken(match: string): string | null {
  const at = match.search(/\beyJ/)
  return at < 0 || match.indexOf('.') - at < TOKEN_HEADER ? null : match.slice(0, at) + getRemoval('token')
}

/**
 * Order matters: the particular before the general. Every pattern takes linear time: what begins with a run of letters begins only
 * where the run does (a test checks all patterns), since a quadratic one would stop the host for half a minute at 120 KB.
 */
const RULES: readonly Rule[] = [
  {
    kind: 'private key',
    pattern:
      /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
    replace: instead('private key'),
  },
  {
    kind: 'private key',
    pattern: /(-----BEGIN OpenVPN Static key V1-----\s{1,4})(?!\[)[a-f0-9\s]{32,}/g,
    replace: instead('private key'),
  },
  // Families of keys, a few at a time: long patterns take the test that reads them all most of its time.
  ...[
    // Models' servers, Hugging Face, Google.
    /\b(?:sk-[A-Za-z0-9_-]{16,}|gsk_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|AIza[0-9A-Za-z_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,})/g,
    /\b(?:ya29\.[A-Za-z0-9_-]{20,}|1\/\/0[A-Za-z0-9_-]{40,})/g,
    // GitHub, GitLab.
    /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|rt|dt|ptt|ft|imt|agent|soat|cbt|oas)-[A-Za-z0-9_-]{16,})/g,
    // Slack, npm, PyPI.
    /\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,})/g,
    // AWS.
    /\b(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}/g,
    // Stripe, SendGrid, Shopify.
    /\b(?:[rs]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{20,}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32})/g,
    /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
    // Azure.
    /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}/g,
    // Docker, DigitalOcean, Databricks, Vault.
    /\b(?:dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}|do[opr]_v1_[a-f0-9]{40,}|dapi[a-f0-9]{32}|hv[sbr]\.[A-Za-z0-9_-]{20,})/g,
    // Twilio, Mailgun, Mailchimp, Square.
    /\b(?:SK[0-9a-f]{32}|key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,})\b/g,
    // Telegram, Discord.
    /(?<![0-9A-Za-z_-])(bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}/g,
    /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/g,
    // Atlassian, Airtable, Postman, Grafana, New Relic, Sentry.
    /\b(?:AT(?:ATT|CTT|BB)[A-Za-z0-9_=-]{20,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|PMAK-[a-f0-9]{24}-[a-f0-9]{34})/g,
    /\b(?:glsa_[A-Za-z0-9_]{32,}|glc_[A-Za-z0-9+/=]{32,}|NRAK-[A-Z0-9]{27}|sntry[su]_[A-Za-z0-9+/=_-]{40,})/g,
    // Terraform, Pulumi, Supabase, PlanetScale, Netlify, Tailscale, Doppler.
    /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}/g,
    /\b(?:pul-[a-f0-9]{40}|sbp_[a-f0-9]{40}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}|nfp_[A-Za-z0-9]{36,})/g,
    /\b(?:tskey-[a-z]{2,10}-[A-Za-z0-9-]{20,}|dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9.]{30,}|rubygems_[a-f0-9]{48})/g,
    // Replicate, Perplexity, xAI, age.
    /\b(?:r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|AGE-SECRET-KEY-1[A-Z0-9]{50,})/g,
    // Linear, Notion, Figma.
    /\b(?:lin_api_[A-Za-z0-9]{30,}|(?:ntn|secret)_[A-Za-z0-9]{40,}|figd_[A-Za-z0-9_-]{30,})/g,
    // Heroku, Cargo, Fly, NuGet, JFrog.
    /\b(?:HRKU-[A-Za-z0-9_-]{30,}|cio[A-Za-z0-9]{32}\b|(?:fm1[ar]|fm2|fo1)_[A-Za-z0-9+/=_-]{40,})/g,
    /\b(?:oy2[a-z0-9]{43}\b|AKCp[A-Za-z0-9]{60,}|cmVmdGtuO[A-Za-z0-9+/=]{40,})/g,
    // Facebook and Square, Mapbox, Contentful, Dropbox, Asana, Brevo.
    /\b(?:EAA[A-Za-z0-9_-]{56,}|[st]k\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{16,}|CFPAT-[A-Za-z0-9_-]{40,})/g,
    /\b(?:sl\.[A-Za-z0-9_-]{80,}|[12]\/[0-9]{13,20}:[a-f0-9]{32}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16})/g,
    // Alibaba, EasyPost, Typeform, 1Password, Buildkite, CircleCI, LaunchDarkly.
    /\b(?:LTAI[A-Za-z0-9]{16,}|EZ[AT]K[A-Za-z0-9]{54}|tfp_[A-Za-z0-9_-]{40,}|ops_eyJ[A-Za-z0-9_=-]{40,})/g,
    /\b(?:bk(?:ua|ct)_[a-f0-9]{40}|CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40})/g,
    /\b(?:sdk|api)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}\b/g,
    // Neon, Tavily, LangSmith, Pinecone, NVIDIA.
    /\b(?:napi_[a-z0-9]{40,}|tvly-[A-Za-z0-9-]{28,}|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10})/g,
    /\b(?:pcsk_[A-Za-z0-9_]{40,}|nvapi-[A-Za-z0-9_-]{40,}|ph[xc]_[A-Za-z0-9]{40,}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,})/g,
    // Sonar, Firebase.
    /\b(?:sq[upa]_[a-f0-9]{40}|AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,})/g,
    // AWS's secret behind its id.
    /(\[access key removed\][\s,:;|"']{1,6})(?!\[)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
  ].map((pattern): Rule => ({ kind: 'access key', pattern, replace: instead('access key') })),
  {
    kind: 'access key',
    pattern:
      /(hooks\.slack\.com\/(?:services|workflows)\/|hooks\.zapier\.com\/hooks\/catch\/|webhook\.office\.com\/)(?!\[)[A-Za-z0-9_/@-]{10,}/g,
    replace: instead('access key'),
  },
  {
    kind: 'access key',
    pattern: /(discord(?:app)?\.com\/api\/webhooks\/[0-9]{10,25}\/)(?!\[)[A-Za-z0-9_-]{20,}/g,
    replace: instead('access key'),
  },
  {
    kind: 'access key',
    // Keys and tokens of a kubeconfig.
    pattern:
      /(\b(?:client-key-data|(?:id-|refresh-|access-|private-|session-)?token)["']?[ \t]{0,4}:[ \t]{0,4}["']?)(?!\[)[A-Za-z0-9._~+/=-]{20,}/gi,
    replace: instead('access key'),
  },
  {
    kind: 'private key',
    pattern: /(\bPrivate-Lines: [0-9]{1,4}\r?\n)(?!\[)[A-Za-z0-9+/=\r\n]+(?=\nPrivate-)/g,
    replace: instead('private key'),
  },
  ...[
    // Headers of keys, and other schemes of an authorisation; a parameter of an address; a cookie of a session; keys in settings.
    /(\bx-(?:[a-z]{1,12}-){1,3}(?:key|token|api)\\?["']?[ \t]{0,4}:[ \t]{0,4}\\?["']?)(?!\[)[A-Za-z0-9._~+/=-]{16,}/gi,
    /(\bauthorization: (?:ssws|apikey|token|splunk|geniekey) (?:token=)?"?)(?!\[)[A-Za-z0-9._~+/=-]{12,}/gi,
    /([?&](?:token|key|auth|secret|signature|code)=)(?!\[)[A-Za-z0-9._~+/%-]{16,}/gi,
    /(\b(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|connect\.sid|session_?id)=)(?!\[)[A-Za-z0-9._~%-]{16,}/gi,
    /(\b(?:private|preshared)_?key["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!\[)[A-Za-z0-9+/=_-]{20,}/gi,
    /(_KEY=["']?)(?!\[)[A-Za-z0-9+/:_-]{24,}/g,
    /(\baws_(?:secret_access_key|session_token)\\?["']?[ \t]{0,4}[:= ][ \t]{0,4}\\?["']?)(?!\[)[A-Za-z0-9+/=]{20,}/gi,
    // A token of settings; what CI hides, and what it says that a secret is.
    /((?<![A-Za-z])token\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)(?![[$]|[A-Za-z0-9_.]{0,100}\()(?=[A-Za-z._-]{0,100}\d)[A-Za-z0-9._~+/=-]{16,}/gi,
    /(::add-mask::|issecret=true\])(?!\[)[^\r\n]{4,200}/gi,
    /(\bsecrets\.[A-Za-z0-9_]{1,60}["']?[ \t]{0,4}(?:=>|=|:)[ \t]{0,4}["'])(?!\[)[^"'\r\n]{4,}/g,
    // Of npm and docker: a name and its password in base64.
    /(["'_]auth["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!\[)(?=[A-Za-z]{0,200}[0-9+/=])[A-Za-z0-9+/]{8,}={0,2}/g,
  ].map((pattern): Rule => ({ kind: 'access key', pattern, replace: instead('access key') })),
  {
    kind: 'access key',
    // Azure's connection strings and signed addresses.
    pattern: /((?:AccountKey|SharedAccessKey|[?&;]sig)=)(?!\[)[A-Za-z0-9+/%=]{16,}/g,
    replace: instead('access key'),
  },
  {
    kind: 'token',
    pattern: /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{11,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    replace: withoutToken,
  },
  {
    kind: 'token',
    pattern: /(\b[Bb]earer\s+)(?!\[)[A-Za-z0-9._~+/=-]{12,}/g,
    replace: instead('token'),
  },
  {
    kind: 'password',
    pattern:
      /(\bauthorization\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?basic[ \t]{1,4})(?!\[)[A-Za-z0-9+/=_-]{6,}/gi,
    replace: instead('password'),
  },
  {
    kind: 'cookie',
    pattern: /(\bcookie\\?["']?[ \t]{0,4}:[ \t]{0,4}\\?["']?)(?!\[)[^\s=;:"'[]{1,100}=[^\r\n"'\\]{3,}/gi,
    replace: instead('cookie'),
  },
  {
    kind: 'password',
    // Begins at the colon: looking for the scheme's own beginning from every letter would take quadratic time.
    pattern: /(?<=[a-z0-9+.-])(:\/\/[^\s/:@"']*:)(?!\[)[^\s/@"']+(?=@)/gi,
    replace: instead('password'),
  },
  {
    kind: 'password',
    // A line of .netrc.
    pattern: /(\blogin[ \t]{1,8}\S{1,200}\s{1,8}password[ \t]{1,8})(?!\[)\S{3,}/g,
    replace: instead('password'),
  },
  {
    kind: 'password',
    beside: 'curl',
    pattern: /([ \t](?:-u|--user)(?:[ \t]{1,4}|=)?["']?[^\s:"'/-][^\s:"'/]{0,100}:)(?!\[|\/\/)[^\s"']{3,}/g,
    replace: instead('password'),
  },
  {
    kind: 'password',
    beside: 'mysql',
    pattern: /([ \t]-p["']?)(?!\[)[^\s"'-][^\s"']{2,}/g,
    replace: instead('password'),
  },
  ...[
    // `-u me -p ...` and `--password ...` of any program; a word of small letters is a word of a sentence.
    /([ \t]-[uU][ \t]{1,4}[^\s-]\S{0,60}[ \t]{1,4}-[pP][ \t]{0,4}["']?)(?!\[)[^\s"'-][^\s"']{2,}/g,
    /([ \t]--?(?:store|key)?pass(?:wd|word|phrase)?[ \t=]["']?)(?!\[|\$|[a-z]{1,40}(?![^\s.,:;]))[^\s"'-][^\s"']{3,}/g,
    /([ \t]--(?:token|api-key|secret|access-token|auth-token)[ \t=]["']?)(?!\[)[^\s"'$<-][^\s"']{15,}/g,
    /(<(?:password|passphrase|secret|token|api-?key)>)(?!\[)[^<\s]{4,200}(?=<)/gi,
    /(\b(?:IDENTIFIED BY|PASSWORD)[ \t]{1,4}')(?!\[)[^'\r\n]{4,}/gi,
    // PHP, Ruby, setters, and a short name whose value stands in quotes.
    /((?:PASSWORD|SECRET|TOKEN|_KEY|_SALT|_PASS)["']?[)\]]?[ \t]{0,4}(?:,|\|\||\?\?|\bor\b)[ \t]{0,4}["'])(?!\[)[^"'\r\n]{6,}/g,
    /(\b(?:password|passwd|secret|api_key|token)["']?[ \t]{0,4}=>[ \t]{0,4}["'])(?!\[)[^"'\r\n]{4,}/gi,
    /(\bset_?(?:password|secret)\(["'])(?!\[)[^"'\r\n]{4,}/gi,
    /(\bpass["']?[ \t]{0,4}[:=][ \t]{0,4}["'])(?!\[|[a-z]{1,40}["'\s])[^"'\r\n]{6,}/g,
    /(\b(?:mnemonic|(?:seed|recovery) phrase)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!\[)(?:[a-z]{3,8} ){11,23}[a-z]{3,8}/gi,
    /(\bpass(?:word|phrase|code) is:?[ \t]{1,4}["'`]?)(?!\[|[a-z-]{1,40}(?:[\s.,:;!?'"]|$))[^\s"'`,;]{5,}/gi,
    /((?:passwort|kennwort|contrase[nñ]a|mot de passe|senha|wachtwoord|has[lł]o|пароль|密码|パスワード)["']?[ \t]{0,4}[:=：][ \t]{0,4}["']?)(?![[<$])[^\s"',;&}]{6,}/gi,
    // In a sentence a password has a digit or a sign.
    /((?:passwort|kennwort|contrase[nñ]a|mot de passe|password|senha|wachtwoord|пароль) (?:lautet|ist|es|est|è|é|is|—|-)[ \t]{1,4}["'`]?)(?![[<$])(?=[^\s"'`]{0,40}[0-9!#$%&*+@^_~])[^\s"'`,;]{5,}/gi,
    /(\bpass["']?:[ \t]{1,4}["']?)(?![[<$])(?=[^\s\d]{1,40}\d|\d[^\s]{0,40}[A-Za-z])[^\s"',;&}]{6,}/g,
    /(\b(?:PIN|pin code|passcode|(?:verification|security|confirmation|door) code)(?:[ \t]is:?|:)[ \t]{1,4})(?!\[)\d{4,8}\b/gi,
    // Behind such a word in a sentence, what is long and has letters and digits.
    /(\b(?:password|passcode|passwort|pwd?|api[ -]?key|token|secret|credentials?)(?:[ \t](?:is|was|to|now|are|ist|from)){0,2}:?[ \t]{1,4}["'`]?)(?![[$<]|removed\])(?=[^\s\d"'`,;()]{0,60}\d)(?=[^\sA-Za-z"'`,;()]{0,60}[A-Za-z])[^\s"'`,;()/:]{10,}/gi,
    /(\b(?:log ?in as |log ?in with |log ?in |credentials: )[^\s/]{1,60} ?\/ ?)(?!\[)(?=[^\s\d]{0,60}\d)[^\s"'`,;]{6,60}/gi,
    // A name and its value side by side: settings of a container, headers of a recording.
    /((?:token|secret|passw(?:or)?d|pass|pwd|[_-]key|apikey|authorization|cookie|session_?id)\\?["']?,?\s{1,40}value["']?[ \t]{0,4}[:=][ \t]{0,4}["']?|(?:token|secret|passw(?:or)?d|pass|pwd|[_-]key|apikey|authorization|cookie|session_?id)\\?["'],\s{0,40}\\?["']value\\?["']\s{0,4}:\s{0,4}\\?["'])(?![[<$])[^"'\\\r\n]{6,}/gi,
    // A name and a password handed over together.
    /((?:NetworkCredential|getConnection|auth[ \t]{0,4}=[ \t]{0,4})\((?:[^()"'\r\n]{1,100},[ \t]{0,4})?["'][^"'\r\n]{1,60}["'],[ \t]{0,4}["'])(?!\[)[^"'\r\n]{4,}/g,
    /(\b(?:connect|Sequelize)\((?:["'][^"'\r\n]{1,60}["'],[ \t]{0,4}){2}["'])(?!\[)(?=[^\s\d"']{0,60}\d)[^\s"']{6,}/g,
    /(\bBasic[ \t])(?!\[)(?=[A-Za-z+/]{0,60}\d)[A-Za-z0-9+/]{16,}={0,2}/g,
    /(<key>[^<\r\n]{0,60}(?:password|secret|token)<\/key>\s{0,40}<string>)(?!\[)[^<\r\n]{4,}/gi,
    /(\b(?:requirepass|masterauth)[ \t]{1,4}["']?)(?!\[)[^\s"']{4,}/g,
    /(\b(?:recovery|backup|scratch|one-time) codes?(?:[ \t]is|[ \t]are)?:?[ \t]{1,4})(?!\[)(?=[A-Za-z-]{0,30}\d)[A-Za-z0-9-]{6,40}(?:,?[ \t](?=[A-Za-z-]{0,30}\d)[A-Za-z0-9-]{4,40}){0,20}/gi,
    /(\bcard(?: number| no\.?)?(?:[ \t]is)?:?[ \t]{1,4})(?!\[)(?:\d{4}[ -]?){3}\d{1,7}\b/gi,
    // Of an image's recipe, fish and Windows.
    /(\b(?:ENV|ARG|setx|set|set -[a-z]{1,4})[ \t]{1,4}[A-Z0-9_]{0,60}(?:PASSWORD|PASS|SECRET|TOKEN|_KEY)[ \t]{1,4}(?:--[a-z]{1,10}[ \t=])?["']?)(?![[$=-])[^\s"']{4,}/g,
    /(jdbc:oracle:[a-z0-9]{1,6}:[^\s/@"']{1,60}\/)(?!\[)[^\s@"']{3,200}/gi,
  ].map((pattern): Rule => ({ kind: 'password', pattern, replace: instead('password') })),
  ...(
    [
      // docker login, podman login, az login; sshpass; redis-cli; mongosh.
      ...['docker', 'podman', 'buildah', 'registry', 'oc', 'az', 'cf'].map(
        (program) =>
          [
            `${program} login`,
            /([ \t](?:-p|--password)(?:[ \t]{1,4}|=)["']?)(?!\[)[^\s"'-][^\s"']{3,}/g,
          ] as const,
      ),
      ['sshpass', /(\bsshpass[ \t]{1,4}-p[ \t]{0,4}["']?)(?!\[)[^\s"'][^\s"']{2,}/g],
      ['redis-cli', /([ \t](?:-a|--pass)(?:[ \t]{1,4}|=)["']?)(?!\[)[^\s"'-][^\s"']{2,}/g],
      ['mongo', /([ \t](?:-p|--password)(?:[ \t]{1,4}|=)["']?)(?!\[)[^\s"'-][^\s"']{2,}/g],
      ['wget', /([ \t]--(?:http-|ftp-|proxy-)?password(?:[ \t]{1,4}|=)["']?)(?!\[)[^\s"'-][^\s"']{2,}/g],
      // openssl's passwords in words, a line of .pgpass, a password in words of PowerShell, smbclient's user%password.
      ['-pass', /(-pass(?:in|out)?[ \t=]{1,4}["']?pass:)(?!\[)[^\s"']{3,}/g],
      [':5432:', /(:5432:[^\s:]{1,100}:[^\s:]{1,100}:)(?!\[)[^\s:"']{3,}/g],
      [
        'ConvertTo-SecureString',
        /(ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?["'])(?!\[)[^"'\r\n]{3,}/g,
      ],
      ['psk', /(\bpsk["']?[ \t]{0,4}[:=][ \t]{0,4}["']?)(?!\[)[^\s"']{8,}/g],
      ['wpa_passphrase', /(\bwpa_passphrase[ \t]{1,4}\S{1,64}[ \t]{1,4}["']?)(?!\[)[^\s"']{8,}/g],
      ['nmcli', /([ \t]password[ \t]{1,4}["']?)(?!\[)[^\s"']{4,}/g],
      ['ldap', /([ \t]-w[ \t]{0,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['net use', /(\bnet use [^\s\\]{0,8}[ \t]{0,4}\\\\[^\s]{1,200}[ \t]{1,4})(?![[/])\S{4,}/gi],
      [
        'htpasswd',
        /([ \t]-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}(?:[ \t]-[a-zA-Z]{1,3})?[ \t]{1,4}[^\s-]\S{0,200}[ \t]{1,4}\S{1,60}[ \t]{1,4}["']?)(?!\[)[^\s"']{4,}/g,
      ],
      ['zip', /([ \t]-P[ \t]{0,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['7z', /([ \t]-p["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['openssl enc', /([ \t]-k[ \t]{1,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['http', /(\bhttps?[ \t]{1,4}(?:-a|--auth)[ \t=]{1,4}["']?[^\s:"']{1,60}:)(?!\[)[^\s"']{3,}/g],
      ...['--password-stdin', '--with-token', '--stdin', 'passwd '].map(
        (option) =>
          [
            option,
            /(\b(?:echo|printf)[ \t]{1,4}(?:-[a-z][ \t]{1,4})?["']?)(?!\[|\$)[^\s"'|]{4,}(?=["']?[ \t]{0,4}\|)/g,
          ] as const,
      ),
      ['sudo -S', /(\becho[ \t]{1,4}(?:-[a-z][ \t]{1,4})?["']?)(?!\[)[^\s"'|]{4,}/g],
      ['chpasswd', /(["' \t][^\s:"']{1,60}:)(?!\[)[^\s"':|]{4,}/g],
      ['mc alias', /([ \t]https?:\/\/\S{1,200}[ \t]{1,4}\S{3,128}[ \t]{1,4})(?!\[)\S{8,}/g],
      ['lftp', /([ \t]-u[ \t]{1,4}["']?[^\s,"']{1,60},)(?!\[)[^\s"']{3,}/g],
      ['sqlplus', /(\bsqlplus[ \t]{1,4}(?:-[A-Za-z][ \t]{1,4})?[^\s/"']{1,60}\/)(?!\[)[^\s@"']{3,}/g],
      ['ssh-keygen', /([ \t]-[NP][ \t]{1,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['rclone', /([ \t](?:pass|password)[ \t=]{1,4}["']?)(?!\[)[^\s"']{4,}/g],
      ['freerdp', /([ \t]\/p:["']?)(?!\[)[^\s"']{3,}/g],
      ['.py', /([ \t][\w.-]{1,60}\/[\w.-]{1,60}:)(?!\[)[^\s@/]{4,}(?=@[0-9])/g],
      ['wandb', /(\bwandb login[ \t]{1,4}(?:--relogin[ \t]{1,4})?)(?!\[)[a-f0-9]{40}/g],
      ['etcdctl', /([ \t]--user(?:[ \t]{1,4}|=)["']?[^\s:"']{1,60}:)(?!\[)[^\s"']{3,}/g],
      ['snmp', /([ \t]-[AX][ \t]{1,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      [
        'rabbitmqctl',
        /([ \t](?:add_user|change_password)[ \t]{1,4}\S{1,60}[ \t]{1,4}["']?)(?!\[)[^\s"']{3,}/g,
      ],
      ['security add-', /([ \t]-w[ \t]{1,4}["']?)(?!\[)[^\s"'-][^\s"']{3,}/g],
      ['cmdkey', /(\/pass:["']?)(?!\[)[^\s"']{3,}/g],
      ['net user', /(\bnet user[ \t]{1,4}[^\s/]{1,60}[ \t]{1,4}["']?)(?![[/*])[^\s"']{4,}/gi],
      ['cryptsetup', /(\becho[ \t]{1,4}(?:-[a-z][ \t]{1,4})?["']?)(?!\[)[^\s"'|]{4,}/g],
      ['sentry.io', /(:\/\/)(?!\[)[a-f0-9]{32}(?=@)/g],
      ['vault', /(\bvault login[ \t]{1,4})(?!\[)[A-Za-z0-9._-]{16,}/g],
      ['"username"', /("key"[ \t]{0,4}:[ \t]{0,4}")(?!\[)[a-f0-9]{32}(?=")/g],
      ['smb', /([ \t]-U[ \t]{0,4}["']?[^\s%"']{1,100}%)(?!\[)[^\s"']{3,}/g],
    ] as const
  ).map(([beside, pattern]): Rule => ({ kind: 'password', beside, pattern, replace: instead('password') })),
  {
    kind: 'credential',
    // db_pass=..., "pwd": "...", Pwd=...; a folder that PWD names stays.
    pattern:
      /((?:[_-]pass|\bpassphrase|[_-]passphrase|\bpwd|[_-]pwd|[_-]pw)\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)(?![[\s<$/~.({])[^\s"'\\,;&}]{6,}/gi,
    replace: instead('credential'),
  },
  {
    kind: 'credential',
    pattern:
      /((?:api[_-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|(?:access|auth|refresh|session|id)[_-]?token|client[_-]?secret|password|passwd|[_-]secret)\\?["']?\]?\s*[:=]\s*\\?(?:[brf]?["'])?)(?![[\s<]|\$[A-Z_{(]|[a-z_.]{1,60}\(|(?:args|self|this|config|settings|os|process|env|opts|options|req|request|params|data|user)\.[A-Za-z]|(?:required|optional|missing|invalid|incorrect|undefined|changed|hidden)\b)[^\s"'\\,;&}]{6,}/gi,
    replace: instead('credential'),
  },
  {
    kind: 'credential',
    // NAME_SECRET=..., PASS=... of a shell or an .env file; numbers and references to other variables stay.
    pattern:
      /(\b[A-Z0-9_]{0,60}(?:SECRET|PASS|PASSWORD|PASSPHRASE|TOKEN|APIKEY|API_KEY|PRIVATE_KEY|CREDENTIALS)(?:_[A-Z0-9_]{1,20})?[ \t]{0,4}=[ \t]{0,4}["']?)(?![[\s<]|\$[A-Z_{(]|\d{1,20}(?:[^A-Za-z0-9]|$))[^\s"',;&}]{4,}/g,
    replace: instead('credential'),
  },
  ...DRAWN_SECRETS,
  { kind: 'home path', pattern: /(?<![\w.])(?:\/home|\/Users)\/[^/\s"'\\:]+/g, replace: home },
  { kind: 'home path', pattern: /\b[A-Za-z]:\\{1,2}Users\\{1,2}[^\\\s"':]+/g, replace: home },
]

/** No rule finds anything in a shorter name. */
const SHORTEST_IN_NAME = 8

/** What a name and its value are called that stand side by side, as in lists of settings. */
const NAME_FIELDS = ['name', 'key'] as const

/** Takes keys, tokens, passwords and home folders out of every text within a value, and out of the names in it. Other text stays as it is, and what holds nothing else is the same object. */
export function redactAll<T>(input: T): { readonly value: T; readonly redactions: Redactions } {
  const counts: Record<string, number> = {}
  const names = new Map<string, string>()
  const take = (name: string | undefined, value: unknown): unknown => {
    if (name === undefined || !isSecretByName(name, value)) return value
    counts.credential = (counts.credential ?? 0) + 1
    return getRemoval('credential')
  }
  /** `name` is what the value is called, if anything. */
  const walk = (value: unknown, name?: string): unknown => {
    if (typeof value === 'string') return take(name, redactText(value, counts))
    if (typeof value === 'number') return take(name, value)
    if (Array.isArray(value)) {
      const list = value.map((one: unknown, at) => {
        const before: unknown = at > 0 ? value[at - 1] : undefined
        return walk(one, typeof before === 'string' && before.startsWith('-') ? before : name)
      })
      return list.some((one, at) => one !== value[at]) ? list : value
    }
    if (typeof value !== 'object' || value === null) return value
    return walkFields(value as Record<string, unknown>)
  }
  /** The same object where nothing in it is taken out. */
  const walkFields = (value: Record<string, unknown>): unknown => {
    const beside = NAME_FIELDS.map((field) => value[field]).find((word) => typeof word === 'string')
    let isSame = true
    const rows = Object.keys(value).map((field) => {
      const inner = value[field]
      const row = [cleanName(field), walk(inner, field === 'value' ? beside : field)] as const
      isSame &&= row[0] === field && row[1] === inner
      return row
    })
    return isSame ? value : Object.fromEntries(rows)
  }
  const cleanName = (name: string): string => {
    if (name.length < SHORTEST_IN_NAME) return name
    const before = names.get(name)
    if (before !== undefined) return before
    const clean = redactText(name, counts)
    names.set(name, clean)
    return clean
  }
  return { value: walk(input) as T, redactions: counts }
}

const filter = new PatternFilter(RULES)

function redactText(text: string, counts: Record<string, number>): string {
  let clean = text
  filter.read(text)
  for (let index = filter.next(0); index >= 0; index = filter.next(index + 1)) {
    const rule = RULES[index]
    const next = rule ? redactIn(rule, clean, counts) : clean
    if (next !== clean) filter.read(next)
    clean = next
  }
  return clean
}

function redactIn(rule: Rule, text: string, counts: Record<string, number>): string {
  const { beside } = rule
  if (beside === undefined) return redactBy(rule, text, counts)
  if (!text.includes(beside)) return text
  const lines = text.split('\n')
  return lines.map((line) => (line.includes(beside) ? redactBy(rule, line, counts) : line)).join('\n')
}

const redactBy = ({ kind, pattern, replace }: Rule, text: string, counts: Record<string, number>): string =>
  text.replace(pattern, (match: string, group: unknown) => {
    // Without a group, what comes first is the match's place.
    const put = replace(match, typeof group === 'string' ? group : '')
    if (put === null) return match
    counts[kind] = (counts[kind] ?? 0) + 1
    return put
  })

export function addRedactions(a: Redactions, b: Redactions): Redactions {
  const sum: Record<string, number> = { ...a }
  for (const [kind, count] of Object.entries(b)) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}
