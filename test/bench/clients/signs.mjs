// What people and programs do with an answer, by libraries: sent again, cancelled, said otherwise, cut at a limit, not in the form that was asked for.
// node signs.mjs NAME, with BASE (origin), KEY and SIGNS (JSON: the first message of each) in the environment.
const { BASE, KEY, SIGNS } = process.env
const texts = JSON.parse(SIGNS)
const SHORT = 3
const FORM = {
  type: 'object',
  properties: { ships: { type: 'integer' } },
  required: ['ships'],
  additionalProperties: false,
}
const user = (content) => ({ role: 'user', content })
const assistant = (content) => ({ role: 'assistant', content })
const pause = () => new Promise((resolve) => setTimeout(resolve, 800))

/** What each library makes of a dialog: `limit` cuts it, `form` asks for JSON, `cancel` leaves it at its first piece. */
const libraries = {
  async openai() {
    const { default: OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 })
    return async (messages, { limit, form, cancel }) => {
      const schema = { name: 'ledger', strict: true, schema: FORM }
      const about = {
        ...{ model: 'gpt-made-up', messages },
        ...(limit && { max_completion_tokens: SHORT }),
        ...(form && { response_format: { type: 'json_schema', json_schema: schema } }),
      }
      if (!cancel) return (await client.chat.completions.create(about)).choices[0].message.content
      const stream = await client.chat.completions.create({ model: 'gpt-made-up', messages, stream: true })
      for await (const chunk of stream) {
        if (chunk.choices[0]?.delta.content) break
      }
      stream.controller.abort()
    }
  },
  async responses() {
    const { default: OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY, maxRetries: 0 })
    return async (input, { limit, form, cancel }) => {
      const about = {
        ...{ model: 'gpt-made-up', input, store: false },
        ...(limit && { max_output_tokens: 16 }),
        ...(form && {
          text: { format: { type: 'json_schema', name: 'ledger', strict: true, schema: FORM } },
        }),
      }
      if (!cancel) return (await client.responses.create(about)).output_text
      const stream = await client.responses.create({
        model: 'gpt-made-up',
        input,
        store: false,
        stream: true,
      })
      for await (const event of stream) {
        if (event.type === 'response.output_text.delta') break
      }
      stream.controller.abort()
    }
  },
  async ai() {
    const { generateText, generateObject, streamText, jsonSchema } = await import('ai')
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const own = { name: 'own', baseURL: `${BASE}/v1`, apiKey: KEY, supportsStructuredOutputs: true }
    const model = createOpenAICompatible(own)('made-up')
    return async (messages, { limit, form, cancel }) => {
      const about = { model, messages, maxRetries: 0, ...(limit && { maxOutputTokens: SHORT }) }
      if (form) return (await generateObject({ ...about, schema: jsonSchema(FORM) })).object
      if (!cancel) return (await generateText(about)).text
      const abort = new AbortController()
      const { textStream } = streamText({ ...about, abortSignal: abort.signal, onError: () => undefined })
      for await (const piece of textStream) if (piece) abort.abort()
    }
  },
  async langchain() {
    const { ChatOpenAI } = await import('@langchain/openai')
    const own = { model: 'made-up', apiKey: KEY, maxRetries: 0, configuration: { baseURL: `${BASE}/v1` } }
    return async (messages, { limit, form, cancel }) => {
      const model = new ChatOpenAI({ ...own, ...(limit && { maxTokens: SHORT }) })
      if (form)
        return model
          .withStructuredOutput({ title: 'ledger', ...FORM }, { method: 'jsonSchema' })
          .invoke(messages)
      if (!cancel) return (await model.invoke(messages)).text
      const abort = new AbortController()
      for await (const { text } of await model.stream(messages, { signal: abort.signal }))
        if (text) abort.abort()
    }
  },
  async anthropic() {
    const { default: Anthropic } = await import('@anthropic-ai/sdk')
    const own = { apiKey: 'own-key', maxRetries: 0, defaultHeaders: { 'x-loam-key': KEY } }
    const client = new Anthropic({ baseURL: BASE, ...own })
    return async (messages, { limit, form, cancel }) => {
      const about = {
        ...{ model: 'claude-made-up', max_tokens: limit ? SHORT : 800, messages },
        ...(form && { output_config: { format: { type: 'json_schema', schema: FORM } } }),
      }
      if (!cancel) return (await client.messages.create(about)).content[0].text
      const stream = client.messages.stream(about)
      for await (const event of stream) if (event.type === 'content_block_delta') stream.abort()
    }
  },
  async genai() {
    const { GoogleGenAI } = await import('@google/genai')
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: BASE } })
    return async (messages, { limit, form, cancel }) => {
      const contents = messages.map(({ role, content }) => ({
        role: role === 'user' ? 'user' : 'model',
        parts: [{ text: content }],
      }))
      const abort = new AbortController()
      const config = {
        abortSignal: abort.signal,
        ...(limit && { maxOutputTokens: SHORT }),
        ...(form && { responseMimeType: 'application/json', responseJsonSchema: FORM }),
      }
      const about = { model: 'gemini-made-up', contents, config }
      if (!cancel) return (await client.models.generateContent(about)).text
      for await (const { text } of await client.models.generateContentStream(about)) if (text) abort.abort()
    }
  },
}

const ask = await libraries[process.argv[2]]()
/** A library that refuses what it was answered, or was left, says so by throwing; what passed is seen behind it. */
const say = async (messages, options = {}) => {
  const reply = await ask(messages, options).catch(
    (error) => void process.stderr.write(`${String(error).slice(0, 200)}\n`),
  )
  await pause()
  return typeof reply === 'string' ? reply : ''
}
const first = [user(texts['sent-again'])]
await say(first)
await say(first)
await say([user(texts.interrupted)], { cancel: true })
const begun = [user(texts.branched)]
const dialog = [...begun, assistant(await say(begun))]
await say([...dialog, user('Add the tonnage to each line.')])
await say([...dialog, user('Add the flag and the tonnage to each line, please.')])
await say([user(texts['cut-off'])], { limit: true })
await say([user(texts['out-of-form'])], { form: true })
