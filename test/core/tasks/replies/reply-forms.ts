/** An action of an environment, as data. */
export interface Gold {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** The word of the text form for it; null where a call is written as JSON behind `Action: Tool`. */
  readonly word: string | null
  /** The environment's text form of it. */
  readonly text: string
  /** It runs code, and this is the code. */
  readonly code?: string
}

/** What a form has to come to: the action; what plain text is there; or words that say what was expected. */
export type Expected = 'action' | 'plain' | 'told'

/** A form that models reply in, written for any action; null where it does not apply. */
export interface ReplyForm {
  readonly title: string
  readonly expected: Expected
  write(gold: Gold): string | null
}

const json = (gold: Gold, args = 'arguments') => JSON.stringify({ name: gold.name, [args]: gold.args })
const parameters = (gold: Gold, write: (key: string, value: string) => string) =>
  Object.entries(gold.args)
    .map(([key, value]) => write(key, typeof value === 'string' ? value : JSON.stringify(value)))
    .join('')
const tagged = (gold: Gold) =>
  `<function=${gold.name}>\n${parameters(gold, (key, value) => `<parameter=${key}>\n${value}\n</parameter>\n`)}</function>`
const python = (gold: Gold) =>
  `${gold.name}(${Object.entries(gold.args)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`
const body = (gold: Gold) => gold.text.slice(gold.text.indexOf('\n') + 1)
const action = (title: string, write: ReplyForm['write']): ReplyForm => ({ title, expected: 'action', write })
const single = (gold: Gold) => json(gold).replaceAll("'", '’').replaceAll('"', "'")

/** Forms of replies: the families' own, and what smaller models write instead. */
export const REPLY_FORMS: readonly ReplyForm[] = [
  action("The environment's text form", ({ text }) => text),
  action(
    'Text form behind a sentence and a thought',
    ({ text }) => `<think>Which one?</think>\nI look first.\n${text}`,
  ),
  action('Qwen, Hermes: JSON in tool_call', (gold) => `<tool_call>\n${json(gold)}\n</tool_call>`),
  action('Qwen: several tool_calls in a row, all the same', (gold) =>
    Array(3)
      .fill(`<tool_call>\n${json(gold)}\n</tool_call>`)
      .join('\n'),
  ),
  action(
    'Qwen3: thought, then tool_call',
    (gold) => `<think>\nI need it.\n</think>\n\n<tool_call>\n${json(gold)}\n</tool_call>`,
  ),
  action(
    'Thought opened by the prompt, then tool_call',
    (gold) => `I need it.\n</think>\n<tool_call>${json(gold)}</tool_call>`,
  ),
  action('Qwen3-Coder: function and parameter tags', (gold) => `<tool_call>\n${tagged(gold)}\n</tool_call>`),
  action('Nemotron, Step: the same without tool_call', tagged),
  action('Seed-OSS: its own tags', (gold) => `<seed:tool_call>${tagged(gold)}</seed:tool_call>`),
  action(
    'MiniMax: invoke and parameter tags',
    (gold) =>
      `<minimax:tool_call>\n<invoke name="${gold.name}">\n${parameters(gold, (key, value) => `<parameter name="${key}">${value}</parameter>\n`)}</invoke>\n</minimax:tool_call>`,
  ),
  action(
    'GLM: pairs of arg_key and arg_value',
    (gold) =>
      `<tool_call>${gold.name}\n${parameters(gold, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)}</tool_call>`,
  ),
  action('Llama 3: bare JSON with parameters', (gold) => json(gold, 'parameters')),
  action(
    'Llama 3: python_tag before the JSON',
    (gold) => `<|python_tag|>${json(gold, 'parameters')}<|eom_id|>`,
  ),
  action(
    'Llama 3.2, LFM2: a list as Python writes it',
    (gold) => `<|tool_call_start|>[${python(gold)}]<|tool_call_end|>`,
  ),
  action('Mistral: TOOL_CALLS and a list', (gold) => `[TOOL_CALLS] [${json(gold)}]`),
  action(
    'Mistral Small: name, ARGS, object',
    (gold) => `[TOOL_CALLS]${gold.name}[ARGS]${JSON.stringify(gold.args)}`,
  ),
  action(
    'Magistral: THINK, then TOOL_CALLS',
    (gold) => `[THINK]hm[/THINK][TOOL_CALLS]${gold.name}[ARGS]${JSON.stringify(gold.args)}`,
  ),
  action('Gemma: fenced JSON', (gold) => `\`\`\`json\n${json(gold)}\n\`\`\``),
  action('Gemma: tool_code', (gold) => `\`\`\`tool_code\nprint(${python(gold)})\n\`\`\``),
  action(
    'gpt-oss: commentary channel',
    (gold) =>
      `<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.${gold.name} <|constrain|>json<|message|>${JSON.stringify(gold.args)}<|call|>`,
  ),
  action(
    'DeepSeek V3: begin and end marks, fenced JSON',
    (gold) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${gold.name}\n\`\`\`json\n${JSON.stringify(gold.args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ),
  action(
    'DeepSeek V3.1: begin and end marks',
    (gold) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${gold.name}<｜tool▁sep｜>${JSON.stringify(gold.args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ),
  action(
    'Command R: action list as JSON',
    (gold) =>
      `Action: \`\`\`json\n[\n  {"tool_name": "${gold.name}", "parameters": ${JSON.stringify(gold.args)}}\n]\n\`\`\``,
  ),
  action(
    'Command R7B: thinking, then action marks',
    (gold) =>
      `<|START_THINKING|>I will.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "${gold.name}", "parameters": ${JSON.stringify(gold.args)}}]<|END_ACTION|>`,
  ),
  action(
    'Functionary 3.2: name on a line of its own',
    (gold) => `>>>${gold.name}\n${JSON.stringify(gold.args)}`,
  ),
  action(
    'Functionary 3.1: function tag around JSON',
    (gold) => `<function=${gold.name}>${JSON.stringify(gold.args)}</function>`,
  ),
  action('Firefunction: functools', (gold) => ` functools[${json(gold)}]`),
  action('Granite, Phi: tool_call mark and a list', (gold) => `<|tool_call|>[${json(gold)}]`),
  action(
    'Kimi: section, index and marks',
    (gold) =>
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.${gold.name}:0<|tool_call_argument_begin|>${JSON.stringify(gold.args)}<|tool_call_end|><|tool_calls_section_end|>`,
  ),
  action(
    'Apertus: the name is the key',
    (gold) => `<|tools_prefix|>[{"${gold.name}": ${JSON.stringify(gold.args)}}]<|tools_suffix|>`,
  ),
  action("OpenAI's own JSON, arguments as a text", (gold) =>
    JSON.stringify({
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: gold.name, arguments: JSON.stringify(gold.args) } },
      ],
    }),
  ),
  action(
    'ReAct: Action and Action Input',
    (gold) => `Thought: look\nAction: ${gold.name}\nAction Input: ${JSON.stringify(gold.args)}`,
  ),
  action('Bold marks around the action', (gold) => gold.text.replace(/^Action: (\w+)/, '**Action:** $1')),
  action(
    'Bold marks, the tool by its name',
    (gold) => `**Action:** ${gold.name}\n\`\`\`json\n${JSON.stringify(gold.args)}\n\`\`\``,
  ),
  action('JSON, then a sentence', (gold) => `${json(gold)}\n\nThis will give us what we need.`),
  action(
    'JSON with comments',
    (gold) =>
      `{\n  // the call\n  "name": "${gold.name}", /* and */\n  "arguments": ${JSON.stringify(gold.args)}\n}`,
  ),
  action(
    'JSON with trailing commas',
    (gold) => `{"name": "${gold.name}", "arguments": ${JSON.stringify(gold.args).replace(/}$/, ',}')},}`,
  ),
  action('JSON in single quotes', single),
  action('Fenced JSON without a language', (gold) => `\`\`\`\n${json(gold)}\n\`\`\``),
  action('Fenced JSON as another language', (gold) => `\`\`\`python\n${json(gold)}\n\`\`\``),
  action('Text form, its fence without a language', (gold) => gold.text.replace(/```\w+/, '```')),
  action('Text form, its fence in another language', (gold) => gold.text.replace(/```\w+/, '```python')),
  action('A bare fence with the code', (gold) =>
    gold.code === undefined ? null : `\`\`\`\n${gold.code}\n\`\`\``,
  ),
  action("The tool's name in another case", (gold) => json({ ...gold, name: gold.name.toUpperCase() })),
  action('Action word in another case', (gold) =>
    gold.text.replace(/^Action: (\w+)/, (_all, word: string) => `ACTION: ${word.toLowerCase()}`),
  ),
  action('Arguments as a string of JSON', (gold) =>
    JSON.stringify({ name: gold.name, arguments: JSON.stringify(gold.args) }),
  ),
  action(
    'Tags named as tool and arguments',
    (gold) =>
      `<${gold.name}>\n${parameters(gold, (key, value) => `<${key}>${value}</${key}>\n`)}</${gold.name}>`,
  ),
  action(
    'An action in a thought, another behind it',
    (gold) =>
      `<think>${json({ ...gold, args: {} })}\nNo.</think>${body({ ...gold, text: `\n${json(gold)}` })}`,
  ),
  {
    title: 'A fence with a program in another language',
    expected: 'told',
    write: ({ code }) =>
      code === undefined
        ? null
        : '```python\nimport sqlite3\nrows = sqlite3.connect("shop.db").execute("SELECT 1")\nprint(rows)\n```',
  },
  {
    title: 'An action inside a thought alone',
    expected: 'told',
    write: (gold) => `<think>\n${gold.text}\n</think>`,
  },
  { title: 'A thought that never ends', expected: 'told', write: (gold) => `<think>\n${gold.text}` },
  {
    title: 'A call that breaks off',
    expected: 'told',
    write: (gold) => `<tool_call>\n${json(gold).slice(0, -6)}`,
  },
  { title: 'Plain text', expected: 'plain', write: () => 'Could you tell me more about what you need?' },
  { title: 'Nothing at all', expected: 'told', write: () => '' },
]
