/** What a program is told, so that it finds what is served. */
export interface ClientConfig {
  readonly program: string
  /** Where it goes. */
  readonly where: string
  readonly text: string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Configuration of MCP clients for a memory server over HTTP. */
export const memoryConfigs = (url: string, key: string): readonly ClientConfig[] => {
  const authorization = `Bearer ${key}`
  const server = { type: 'http', url, headers: { Authorization: authorization } }
  return [
    {
      program: 'Claude Code',
      where: 'in a terminal',
      text: `claude mcp add --transport http loam-memory ${url} --header "Authorization: ${authorization}"`,
    },
    {
      program: 'Claude Desktop',
      where: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          'loam-memory': {
            command: 'npx',
            args: ['mcp-remote', url, '--header', `Authorization: ${authorization}`],
          },
        },
      }),
    },
    {
      program: 'Cursor',
      where: '.cursor/mcp.json',
      text: json({ mcpServers: { 'loam-memory': { url, headers: { Authorization: authorization } } } }),
    },
    { program: 'VS Code', where: '.vscode/mcp.json', text: json({ servers: { 'loam-memory': server } }) },
    {
      program: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.loam-memory]\nurl = "${url}"\nhttp_headers = { Authorization = "${authorization}" }`,
    },
    {
      program: 'smolagents',
      where: 'in Python',
      text: [
        'from smolagents import CodeAgent, ToolCollection',
        '',
        `server = {"url": "${url}", "transport": "streamable-http", "headers": {"Authorization": "${authorization}"}}`,
        'with ToolCollection.from_mcp(server, trust_remote_code=True) as memory:',
        '    agent = CodeAgent(tools=[*memory.tools], model=model)',
      ].join('\n'),
    },
  ]
}

/** What every program that speaks OpenAI's protocol takes. */
export const proxyConfigs = (url: string, key: string): readonly ClientConfig[] => [
  {
    program: 'Any program',
    where: 'in its environment',
    text: `OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${key}`,
  },
]

/** The released client of Agent KB. */
export const experienceConfigs = (url: string, key: string): readonly ClientConfig[] => [
  {
    program: 'Agent KB',
    where: 'where its client makes its session',
    text: `AKBClient(base_url="${url}")\nself.session.headers.update({"Authorization": "Bearer ${key}"})`,
  },
]
