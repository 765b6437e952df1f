import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { describe, expect, it } from 'vitest'
import { redactAll } from '../../src/core/memory/experiences/import/redact'

/** So many characters of a made-up key; in pieces, so that this file holds nothing that looks like one. */
const made = (length: number, from = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY'): string =>
  from.repeat(Math.ceil(length / from.length)).slice(0, length)
const upper = (length: number): string => made(length, 'QW3RTY5UPLKJ7HGFDSAZ2XCVBNM6')
const hex = (length: number): string => made(length, '0f3a9c71d5e8b246')
const join = (...parts: string[]): string => parts.join('')

/** A secret in the words around it, and the part of it that must not stay. */
const SAMPLES: readonly (readonly [family: string, text: string, secret: string])[] = [
  ['AWS key id', `id ${join('AK', 'IA')}${upper(16)} end`, upper(16)],
  ['AWS secret', `aws_secret_access_key = ${made(40)}`, made(40)],
  ['GitHub', `push with ${join('gh', 'p_')}${made(36)}`, made(36)],
  ['GitHub fine-grained', `${join('github', '_pat_')}${made(22)}_${made(59)}`, made(22)],
  ['npm', `//registry.example/:_authToken=${join('np', 'm_')}${made(36)}`, made(36)],
  ['Slack token', join('xo', 'xb-', '123456789012-123456789012-', made(24)), made(24)],
  ['Slack webhook', `https://hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${made(24)}`, made(24)],
  ['Stripe', join('sk', '_live_', made(24)), made(24)],
  ['Google key', join('AI', 'za', made(35)), made(35)],
  ['Google client', `"client_secret":"${join('GOC', 'SPX-')}${made(28)}"`, made(28)],
  ['Azure storage', `AccountName=a;AccountKey=${made(86)}==;EndpointSuffix=x`, made(86)],
  ['Azure client', `x ${join('abc', '8Q', '~', made(34))}`, made(34)],
  ['Anthropic', join('sk-', 'ant-', 'api03-', made(95)), made(95)],
  ['OpenAI', join('sk-', 'proj-', made(48)), made(48)],
  ['SendGrid', join('SG', '.', made(22), '.', made(43)), made(43)],
  ['Shopify', join('shp', 'at_', hex(32)), hex(32)],
  ['basic auth header', `Authorization: Basic ${made(24)}==`, made(24)],
  ['basic auth address', 'https://user:hunter2pass@example.org/x', 'hunter2pass'],
  ['cookie', 'Cookie: session=abcdef123456; theme=dark', 'abcdef123456'],
  ['set-cookie', 'set-cookie: sid=s%3Aabcdef123456; Path=/; HttpOnly', 'abcdef123456'],
  ['bearer', `Authorization: Bearer ${made(30)}`, made(30)],
  ['web token', `${join('ey', 'J')}${made(20)}.${join('ey', 'J')}${made(40)}.${made(43)}`, made(43)],
  [
    'private key',
    join('-----BEGIN ', 'OPENSSH PRIVATE KEY-----\n', made(64), '\n-----END OPENSSH PRIVATE KEY-----'),
    made(64),
  ],
  ['netrc', 'machine example.org login me password hunter2pass', 'hunter2pass'],
  ['curl', 'curl -s -u me:hunter2pass https://example.org', 'hunter2pass'],
  ['curl, long', "curl --user 'me:hunter2pass' https://example.org", 'hunter2pass'],
  ['mysql', 'mysql -h db -u root -phunter2pass shop', 'hunter2pass'],
  ['NAME_SECRET', 'export APP_SECRET=hunter2pass', 'hunter2pass'],
  ['PASS', 'PASS="hunter2pass" make deploy', 'hunter2pass'],
  ['PGPASSWORD', 'PGPASSWORD=hunter2pass psql', 'hunter2pass'],
  ['TOKEN', 'DEPLOY_TOKEN_PROD=hunter2pass', 'hunter2pass'],
  ['docker login', 'docker login -u me -p hunter2pass registry.example', 'hunter2pass'],
  ['podman login', 'podman login --password=hunter2pass registry.example', 'hunter2pass'],
  ['sshpass', "sshpass -p 'hunter2pass' ssh me@example.org", 'hunter2pass'],
  ['kubeconfig key', `    client-key-data: ${made(88)}==`, made(88)],
  ['kubeconfig token', `    token: ${made(64)}`, made(64)],
  ['db_pass', 'db_pass=hunter2pass', 'hunter2pass'],
  ['pwd', '{"user": "me", "pwd": "hunter2pass"}', 'hunter2pass'],
  ['connection string', 'Server=db;Uid=me;Pwd=hunter2pass;', 'hunter2pass'],
  ['passphrase', 'passphrase: hunter2pass', 'hunter2pass'],
  ['Twilio', join('S', 'K', hex(32)), hex(32)],
  ['Telegram', `bot ${join('123456789', ':A', 'A', made(33))}`, made(33)],
  ['Discord bot', `${join('M', made(24))}.${made(6)}.${made(30)}`, made(30)],
  ['Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${made(68)}`, made(68)],
  ['Mailgun', join('ke', 'y-', hex(32)), hex(32)],
  ['Mailchimp', join(hex(32), '-us', '12'), hex(32)],
  ['Square', join('sq', '0atp-', made(22)), made(22)],
  ['Atlassian', join('AT', 'ATT', made(60)), made(60)],
  ['Airtable', join('pa', 't', made(14), '.', hex(64)), hex(64)],
  ['Postman', join('PM', 'AK-', hex(24), '-', hex(34)), hex(34)],
  ['Grafana', join('gl', 'sa_', made(32), '_', hex(8)), made(32)],
  ['New Relic', join('NR', 'AK-', upper(27)), upper(27)],
  ['Terraform', join(made(14), '.atlas', 'v1.', made(67)), made(67)],
  ['Tailscale', join('ts', 'key-auth-', made(12), '-', made(24)), made(24)],
  ['Replicate', join('r', '8_', made(37)), made(37)],
  ['age', join('AGE-SECRET', '-KEY-1', upper(58)), upper(58)],
  ['redis-cli', 'redis-cli -h db -a hunter2pass ping', 'hunter2pass'],
  ['mongosh', 'mongosh -u me -p hunter2pass db', 'hunter2pass'],
  ['wget', 'wget --http-password=hunter2pass https://example.org', 'hunter2pass'],
  ['openssl', 'openssl rsa -passin pass:hunter2pass -in key.pem', 'hunter2pass'],
  ['pgpass', 'db.example:5432:shop:me:hunter2pass', 'hunter2pass'],
  ['PowerShell', 'ConvertTo-SecureString "hunter2pass" -AsPlainText -Force', 'hunter2pass'],
  ['smbclient', 'smbclient //host/share -U me%hunter2pass', 'hunter2pass'],
  ['GitLab runner', join('gl', 'rt-', made(20)), made(20)],
  ['Heroku', join('HR', 'KU-', made(60)), made(60)],
  ['Cargo', join('ci', 'o', made(32)), made(32)],
  ['Fly', join('fm', '2_', made(90)), made(90)],
  ['NuGet', join('oy', '2', hex(43)), hex(43)],
  ['JFrog', join('AK', 'Cp', made(69)), made(69)],
  ['Facebook', join('EA', 'ACEdEose0cBA', made(120)), made(120)],
  ['Square, production', join('EA', 'AA', made(60)), made(60)],
  ['Contentful', join('CF', 'PAT-', made(43)), made(43)],
  ['Dropbox', join('sl', '.', made(130)), made(130)],
  ['Asana', join('1/', '1204567890123456:', hex(32)), hex(32)],
  ['Alibaba', join('LT', 'AI', made(20)), made(20)],
  ['EasyPost', join('EZ', 'AK', made(54)), made(54)],
  ['Typeform', join('tf', 'p_', made(59)), made(59)],
  ['1Password', join('op', 's_eyJ', made(120)), made(120)],
  ['Buildkite', join('bk', 'ua_', hex(40)), hex(40)],
  ['Neon', join('na', 'pi_', hex(64)), hex(64)],
  ['Tavily', join('tv', 'ly-', made(32)), made(32)],
  ['Pinecone', join('pc', 'sk_', made(64)), made(64)],
  ['NVIDIA', join('nv', 'api-', made(64)), made(64)],
  ['PostHog', join('ph', 'x_', made(43)), made(43)],
  ['Sonar', join('sq', 'u_', hex(40)), hex(40)],
  ['Sentry, user', join('sn', 'tryu_', hex(64)), hex(64)],
  ['Google, refreshing', join('1/', '/0', made(60)), made(60)],
  ['Mapbox', join('sk', '.ey', 'J', made(60), '.', made(22)), made(22)],
  ['Brevo', join('xkey', 'sib-', hex(64), '-', made(16)), hex(64)],
  ['CircleCI', join('CCI', 'PAT_', made(22), '_', hex(40)), hex(40)],
  ['LangSmith', join('ls', 'v2_pt_', hex(32), '_', hex(10)), hex(32)],
  ['LaunchDarkly', join('sd', 'k-', '0f3a9c71-d5e8-4246-8f3a-9c71d5e8b246'), '9c71d5e8b246'],
  ['Resend', join('re', '_', made(8), '_', made(24)), made(24)],
  ['Firebase', join('AA', 'AA', made(7), ':APA', '91b', made(134)), made(134)],
  ['Sentry, address', `https://${hex(32)}@o1.ingest.sentry.io/2`, hex(32)],
  ['Teams webhook', `https://a.webhook.office.com/webhookb2/${made(36)}/IncomingWebhook/${hex(32)}`, hex(32)],
  ['Zapier webhook', `https://hooks.zapier.com/hooks/catch/1234567/${made(8)}`, made(8)],
  ['PuTTY', `Private-Lines: 1\n${made(64)}\nPrivate-MAC: 0`, made(64)],
  ['key in a header', `curl -H "X-Auth-Key: ${hex(37)}"`, hex(37)],
  ['another scheme', `Authorization: SSWS ${made(42)}`, made(42)],
  ['token=', `Authorization: Token token=${made(20)}`, made(20)],
  ['key in an address', `https://example.org/x?token=${made(32)}&y=1`, made(32)],
  ['cookie in code', `document.cookie = "sessionid=${made(32)}"`, made(32)],
  ['WireGuard', `PrivateKey = ${made(43)}=`, made(43)],
  ['NAME_KEY', `ALGOLIA_ADMIN_KEY=${hex(32)}`, hex(32)],
  ['APP_KEY', `APP_KEY=base64:${made(43)}=`, made(43)],
  ['a value that begins with a digit', `API_TOKEN=9${made(31)}`, made(31)],
  ['AWS session', `aws_session_token=${made(200)}`, made(200)],
  ['AWS, as JSON', `"SessionToken": "${made(200)}"`, made(200)],
  ['aws configure', `aws configure set aws_secret_access_key ${made(40)}`, made(40)],
  ['npm _auth', `//registry.example/:_auth=${made(27)}=`, made(27)],
  ['docker auths', `{"auths":{"ghcr.io":{"auth":"${made(32)}"}}}`, made(32)],
  ['kaggle', `{"username":"me","key":"${hex(32)}"}`, hex(32)],
  ['refresh token', `{"refresh_token":"${made(60)}"}`, made(60)],
  ['wandb', `wandb login ${hex(40)}`, hex(40)],
  ['vault', `vault login s.${made(24)}`, made(24)],
  ['--token', `vercel deploy --token ${made(24)}`, made(24)],
  ['minio', `mc alias set here http://127.0.0.1:9000 ${upper(20)} ${made(40)}`, made(40)],
  [
    'seed phrase',
    'mnemonic: "abandon ability able about above absent absorb abstract absurd abuse access accident"',
    'absorb',
  ],
  ...[
    'network={ psk="@" }',
    'wpa_passphrase home @',
    'nmcli dev wifi connect home password @',
    'ldapsearch -x -w @ -b dc=x',
    'net use Z: \\\\srv\\share @ /user:me',
    'net user me @ /add',
    'cmdkey /add:srv /user:me /pass:@',
    'htpasswd -b .htpasswd me @',
    'gpg --batch --passphrase @ -d x',
    'zip -r -P @ a.zip dir',
    '7z x -p@ a.7z',
    'openssl enc -aes-256-cbc -k @ -in a',
    'http -a me:@ GET https://x',
    'echo @ | sudo -S true',
    'echo "root:@" | chpasswd',
    "echo -n '@' | cryptsetup luksOpen /dev/x y -",
    'lftp -u me,@ ftp.example.org',
    'svn co --username me --password @ https://x',
    'twine upload -u me -p @ dist/*',
    'sqlcmd -S srv -U sa -P @',
    'sqlplus scott/@@orcl',
    "CREATE USER app IDENTIFIED BY '@'",
    "ALTER ROLE app WITH PASSWORD '@'",
    'ssh-keygen -t ed25519 -N "@" -f k',
    'keytool -list -storepass @',
    'x11vnc -passwd @',
    'rclone config create x sftp pass @',
    'xfreerdp /v:h /u:me /p:@',
    'wmiexec.py DOM/me:@@10.0.0.5',
    'etcdctl --user root:@ get /',
    'snmpwalk -v3 -u me -A @ h',
    'rabbitmqctl add_user me @',
    'security add-generic-password -a me -w @',
    '<password>@</password>',
    "define('DB_PASSWORD', '@');",
    "'password' => '@',",
    'ds.setPassword("@");',
    "login('me', { pass: '@' })",
    'Passwort: @',
    'Contraseña: @',
    'my password is @, please log in',
  ].map((text) => [text, text.replace('@', 'hunter2Pass'), 'hunter2Pass'] as const),
  ['a field of that name', JSON.stringify({ password: 'hunter2pass' }), 'hunter2pass'],
  // From shells.
  ['echo to docker login', 'echo "Kq7!mZp2xW" | docker login -u bob --password-stdin', 'Kq7!mZp2xW'],
  ['htpasswd -b -c', 'htpasswd -b -c .htpasswd ann Kq7mZp2xW', 'Kq7mZp2xW'],
  ['variable set', 'glab variable set DEPLOY_TOKEN Kq7mZp2xW9', 'Kq7mZp2xW9'],
  ['secret set --body', 'gh secret set NPM_TOKEN --body "Kq7mZp2xW9"', 'Kq7mZp2xW9'],
  // From settings and code.
  ['image recipe', 'ENV ADMIN_PASSWORD Kq7mZp2xW', 'Kq7mZp2xW'],
  ['pass of YAML', 'smtp:\n  user: bot\n  pass: Kq7mZp2xW\n', 'Kq7mZp2xW'],
  ['token of settings', `[gitlab]\nprivate_token = ${made(20)}`, made(20)],
  ['oracle address', 'jdbc:oracle:thin:scott/kq7mzp2x@//db:1521/O', 'kq7mzp2x'],
  ['second choice of code', `const s = process.env.API_SECRET || '${made(28)}'`, made(28)],
  ['bytes of Python', "app.secret_key = b'Kq7mZp2xW9aa'", 'Kq7mZp2xW9aa'],
  ['array of PHP', `$cfg['blowfish_secret'] = '${made(32)}';`, made(32)],
  ['C# credential', 'new NetworkCredential("ann", "Kq7mZp2xW")', 'Kq7mZp2xW'],
  ['Java connection', 'getConnection(url, "sa", "Kq7mZp2xW")', 'Kq7mZp2xW'],
  ['requests auth', 'requests.get(u, auth=("ann", "Kq7mZp2xW"))', 'Kq7mZp2xW'],
  ['connect in a row', 'MySQLdb.connect("h", "u", "Kq7mZp2xW", "db")', 'Kq7mZp2xW'],
  ['container setting', `- name: API_TOKEN\n  value: "${made(24)}"`, made(24)],
  ['recorded header', `{"name":"Authorization","value":"Token ${hex(40)}"}`, hex(40)],
  ['recorded cookie', `{"name":"sessionid","value":"${made(32)}"}`, made(32)],
  ['requirepass', 'requirepass Kq7mZp2xW', 'Kq7mZp2xW'],
  ['property list', '<key>Password</key><string>Kq7mZp2xW</string>', 'Kq7mZp2xW'],
  ['basic of nginx', `proxy_set_header Authorization "Basic ${made(27)}=";`, made(27)],
  ['AWS secret behind its id', `${join('AK', 'IA')}${upper(16)} ${made(40)}`, made(40)],
  ['Telegram address', `https://api.telegram.org/bot${join('123456789', ':AA')}${made(33)}/getMe`, made(33)],
  ['JFrog header', `curl -H X-JFrog-Art-Api:${made(40)} u`, made(40)],
  // From logs of CI.
  ['secret of an action', `Evaluating: secrets.DEPLOY_KEY => '${made(30)}'`, made(30)],
  ['mask of an action', `::add-mask::${made(20)}`, made(20)],
  // From chats.
  ['password in German', 'Das Passwort lautet Kq7mZp2xW und mehr', 'Kq7mZp2xW'],
  ['password in Spanish', 'la contraseña es Kq7mZp2xW', 'Kq7mZp2xW'],
  ['password in French', 'le mot de passe est Kq7mZp2xW', 'Kq7mZp2xW'],
  ['password changed to', 'I changed my password to kq7mzp2xwaa yesterday', 'kq7mzp2xwaa'],
  ['key in a sentence', `here is my api key ${made(32)}`, made(32)],
  ['log in as', 'you can log in as demo / Kq7mZp2xW', 'Kq7mZp2xW'],
  ['PIN', 'my PIN is 4829', '4829'],
  ['recovery codes', '2FA recovery codes: u5xsb-ydfkg, h7ws2-pq8rt', 'h7ws2-pq8rt'],
  // Of any family, by the word before it and how it reads.
  ['unknown service', `connecting as zpk-prod-${made(40)} now`, made(40)],
  ['unknown service, in a sentence', `that one is foo_pat_${made(40)}, ok?`, made(40)],
  ['key named in a sentence', `I put the mistral key ${made(32)} in the vault`, made(32)],
  ['two of a call', `OAuthHandler("${made(25)}", "${made(50)}")`, made(50)],
  ['option of a command', `influx write -b x -t ${made(86)}==`, made(86)],
  ['header of a service', `"x-team-of-mine": "${made(24)}"`, made(24)],
  ['session of a log', `level=info session=${hex(40)} user=ann`, hex(40)],
  ['key of Rails', `secret_key_base: ${hex(128)}`, hex(128)],
  ['parameter of an address', `https://example.org/weather?q=Oslo&appid=${hex(32)}`, hex(32)],
  ['token as the name of an address', `git clone https://${made(52)}@example.org/_git/r`, made(52)],
  ['address that takes logs', `https://logs.example.org/v1/input/${hex(32)}`, hex(32)],
  ['bindpw', 'bindpw Kq7mZp2xW', 'Kq7mZp2xW'],
  ['literal of kubectl', 'kubectl create secret generic s --from-literal=pw=Kq7mZp2xW', 'Kq7mZp2xW'],
  ['password in braces', 'UID=sa2;PWD={Kq7mZp2xW};Encrypt=yes', 'Kq7mZp2xW'],
  ["the password's", "user is deploy and the password's Kq7mZp2xW", 'Kq7mZp2xW'],
  ['passphrase for a key', "Enter passphrase for key '/x/id': Kq7mZp2xW", 'Kq7mZp2xW'],
  ['pgpass, another port', 'db.example:6432:shop:me:Kq7mZp2xW', 'Kq7mZp2xW'],
  ['passwords of mail servers', '[smtp.example.org]:587 me@example.org:Kq7mZp2xW', 'Kq7mZp2xW'],
  ['OpenVPN login', '<auth-user-pass>\nann\nKq7mZp2xW\n</auth-user-pass>', 'Kq7mZp2xW'],
  [
    'OpenVPN key',
    join('-----BEGIN OpenVPN ', `Static key V1-----\n${hex(32)}\n-----END OpenVPN Static key V1-----`),
    hex(32),
  ],
  ['pass_phrase', 'pass_phrase=Kq7mZp2xW', 'Kq7mZp2xW'],
  ['name and password as one', 'NEO4J_AUTH=neo4j/Kq7mZp2xW', 'Kq7mZp2xW'],
  ['logins of a cluster', `.dockerconfigjson: ${made(120)}==`, made(120)],
  [
    'one-time secret',
    `MFA secret for the account: ${made(32, 'IWMEHXR6XNGWQBDVOAIB5COQGAPRA6FE')}`,
    'XNGWQBDV',
  ],
  ['HubSpot', 'APP=pat-eu1-0f3a9c71-d5e8-4246-8f3a-9c71d5e8b246', '9c71d5e8b246'],
  ['card', 'card number 4242 4242 4242 4242 exp 04/29', '4242 4242'],
]

/** How many secrets a maintained set of rules finds. */
async function found(content: string): Promise<number> {
  const { messages } = await lintSource({
    source: { content, filePath: 'log.txt', ext: '.txt', contentType: 'text' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] },
      noPhysicFilePath: true,
    },
  })
  return messages.length
}

describe('secrets', () => {
  it.each(SAMPLES)('of the family %s do not come in', async (_, text, secret) => {
    const { value, redactions } = redactAll({ deep: [text] })
    expect(JSON.stringify(value)).not.toContain(secret)
    expect(Object.values(redactions).reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0)
    // What has been taken out is not taken out again.
    expect(redactAll(value)).toEqual({ value, redactions: {} })
    expect(await found(value.deep[0] ?? '')).toBe(0)
  })

  it('are of 221 families', () => {
    expect(new Set(SAMPLES.map(([family]) => family)).size).toBeGreaterThanOrEqual(221)
  })

  it('that a maintained set of rules knows are among the families here', async () => {
    const known = await Promise.all(
      SAMPLES.map(async ([family, text]) => ((await found(text)) > 0 ? [family] : [])),
    )
    expect(known.flat()).toEqual(
      expect.arrayContaining([
        'AWS secret',
        'GitHub',
        'npm',
        'Slack token',
        'SendGrid',
        'Shopify',
        'private key',
        'basic auth address',
      ]),
    )
  })

  it('are fields of such a name, too', () => {
    expect(redactAll({ api_key: 'hunter2pass', password: '', note: 'hunter2pass' })).toEqual({
      value: { api_key: '[credential removed]', password: '', note: 'hunter2pass' },
      redactions: { credential: 1 },
    })
  })

  it.each([
    [{ GITHUB_TOKEN: 'q8w7e6r5t4y3' }, 'q8w7e6r5t4y3'],
    [{ headers: { Authorization: 'Basic YWxpY2U6aHVudGVyMg==' } }, 'YWxpY2U6aHVudGVyMg'],
    [{ headers: { 'x-api-key': 'q8w7e6r5t4y3' } }, 'q8w7e6r5t4y3'],
    [{ cookie: 'sid=q8w7e6r5t4y3; theme=dark' }, 'q8w7e6r5t4y3'],
    [{ auth: { user: 'ann', pass: 'Kq7mZp2xW' } }, 'Kq7mZp2xW'],
    [{ proxyPassword: 'words of a person' }, 'words of a person'],
    [{ password: 48_291_765 }, '48291765'],
    [{ passwords: ['Kq7mZp2xW'] }, 'Kq7mZp2xW'],
    [{ name: 'DB_PASSWORD', value: 'Kq7mZp2xW' }, 'Kq7mZp2xW'],
    [['tool', '--password', 'Kq7mZp2xW'], 'Kq7mZp2xW'],
    [{ [`${join('gh', 'p_')}${made(36)}`]: 1, more: 2 }, made(36)],
    [{ '/home/ann/notes': 1 }, 'ann'],
  ])('lie in fields, beside names, behind options and in names, as in %j', (value, secret) => {
    const once = redactAll<unknown>(value)
    expect(JSON.stringify(once.value)).not.toContain(secret)
    expect(redactAll(once.value)).toEqual({ value: once.value, redactions: {} })
  })

  it('are not seen in fields that only sound like it', () => {
    const value = {
      token_count: 18_234_000,
      tokenizer: 'llama-bpe-2',
      token: 'a piece of a word 2',
      key: 'customer_id_2',
      pass: '12 of 14 tests',
      PWD: '/var/lib/loam2',
      passwordHint: 'my first dog 2',
      cookie: 'chocolate, 2 pieces',
      authorization: 'required',
    }
    expect(redactAll(value)).toEqual({ value, redactions: {} })
  })

  it.each([
    'curl -u https://example.org/x -s; docker run -p 8080:80 image',
    'TOKEN_COUNT=128000 MAX_TOKENS = 4096',
    'PASSWORD=$DB_PASSWORD; export TOKEN=<your token>',
    'Basic knowledge of cookies: chocolate is enough',
    'The passport = valid; ps -p 1234; mkdir -p here',
    'SELECT password FROM users WHERE id = 3',
    'PWD=/var/lib/loam; OLDPWD=/tmp; pwd: ./src',
    'token: a piece of a word; next_token: 17',
    'the tests pass: everything is green, bypass=disabled',
    'use --password instead, the password is wrong, --token to log in',
    'TOKENS=4096 PRIMARY_KEY=id; the key-value store, ?code=ok&key=name',
    "set-password: see auth: 'authenticationService'; private_key: /etc/ssl/key.pem",
    'docker run -p 127.0.0.1:8080:80 nginx; login to see more',
    'git commit -p; the login page; ssh -p 2222 host',
    'commit 0f3a9c71d5e8b2460f3a9c71d5e8b246 of the tree',
    'password: required, at least 8 characters; the password is case-sensitive',
    'password = input("Password: "); secret = load_secret(path); password=args.password',
    'token = parser.nextToken2(); const token = await generateTokenV2ForUser(x)',
    'ENV NODE_ENV production; set -e; echo "hello world" | grep hello',
    'Order 4000123412341234; ISBN 978-3-16-148410-0; the PIN is 4 mm wide',
    'le mot de passe est obligatoire, la contraseña es incorrecta, das Passwort ist zu kurz',
    'Basic authentication is off; recovery codes are in the safe',
    'chatcmpl-Aw30O6Ka8n1X3F6F7YUh91NxXBE0y call_Aw30O6Ka8n1X3F6F7YUh91Nx the key of toolu_01A09q90qw90lq917835lq9K',
    'authenticationServiceV2 tokenOfTheParser3 getKeyOfAccountForUser2 src/auth/useAuthToken2.ts:12:5',
    'key "Harbor-Guest-2024"; sha256-0f3a9c71d5e8b2460f3a9c71d5e8b246',
    'commit 0f3a9c71d5e8b2460f3a9c71d5e8b246 (tag: v1), cache of keys at /var/lib/keys2',
    '550e8400-e29b-41d4-a716-446655440000 data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA1b4f',
  ])('are not seen in %s', (text) => {
    expect(redactAll(text)).toEqual({ value: text, redactions: {} })
  })

  it('leaves what holds no secret the same object, and makes what holds one anew', () => {
    const clean = { id: 'a', steps: [{ action: 'SELECT 1;' }], score: 1 }
    const value = { clean, other: [`Authorization: Basic ${made(24)}==`] }
    const { value: after } = redactAll(value)
    expect(after.clean).toBe(clean)
    expect(after.other[0]).not.toContain(made(24))
    expect(value.other[0]).toContain(made(24))
  })
})
