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
  ['a field of that name', JSON.stringify({ password: 'hunter2pass' }), 'hunter2pass'],
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

  it('are of 60 families', () => {
    expect(new Set(SAMPLES.map(([family]) => family)).size).toBeGreaterThanOrEqual(60)
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
    'curl -u https://example.org/x -s; docker run -p 8080:80 image',
    'TOKEN_COUNT=128000 MAX_TOKENS = 4096',
    'PASSWORD=$DB_PASSWORD; export TOKEN=<your token>',
    'Basic knowledge of cookies: chocolate is enough',
    'The passport = valid; ps -p 1234; mkdir -p here',
    'SELECT password FROM users WHERE id = 3',
    'PWD=/var/lib/loam; OLDPWD=/tmp; pwd: ./src',
    'token: a piece of a word; next_token: 17',
    'the tests pass: everything is green, bypass=disabled',
    'docker run -p 127.0.0.1:8080:80 nginx; login to see more',
    'git commit -p; the login page; ssh -p 2222 host',
    'commit 0f3a9c71d5e8b2460f3a9c71d5e8b246 of the tree',
  ])('are not seen in %s', (text) => {
    expect(redactAll(text)).toEqual({ value: text, redactions: {} })
  })
})
