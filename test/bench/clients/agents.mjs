// One conversation of a library with a server, as its documentation writes it: a task, a complaint over a stream, a task with a tool, and the task again anew.
// node agents.mjs NAME, with BASE (origin), KEY and TEXTS (JSON) in the environment; prints the replies as one line of JSON.
const { BASE, KEY, TEXTS } = process.env
const { task, complaint, tool, again } = JSON.parse(TEXTS)
const replies = []
const pause = () => new Promise((resolve) => setTimeout(resolve, 1500))
const LOOK = { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] }
const LOOK_ABOUT = 'Says what lies at a berth.'
const look = ({ at }) => `At berth ${at} lies the Alma.`
const user = (content) => ({ role: 'user', content })
const assistant = (content) => ({ role: 'assistant', content })

const clients = {
  async openai() {
    const { default: OpenAI } = await import('openai')
    const client = new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY })
    const model = 'gpt-made-up'
    const first = await client.chat.completions.create({
      model,
      messages: [user(task)],
      temperature: 0.3,
      seed: 7,
    })
    const reply = first.choices[0].message
    replies.push(reply.content)
    let text = ''
    const messages = [user(task), reply, user(complaint)]
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    replies.push(text)
    const tools = [
      { type: 'function', name: 'look', description: LOOK_ABOUT, parameters: LOOK, strict: true },
    ]
    const call = await client.responses.create({ model, input: tool, tools })
    const { call_id, arguments: input } = call.output.find(({ type }) => type === 'function_call')
    const output = [{ type: 'function_call_output', call_id, output: look(JSON.parse(input)) }]
    const last = await client.responses.create({ model, previous_response_id: call.id, input: output, tools })
    replies.push(last.output_text)
    await pause()
    replies.push(
      (await client.chat.completions.create({ model, messages: [user(again)] })).choices[0].message.content,
    )
  },
  async ai() {
    const { generateText, streamText, tool: toolOf, stepCountIs, isStepCount } = await import('ai')
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const { z } = await import('zod')
    const model = createOpenAICompatible({ name: 'own', baseURL: `${BASE}/v1`, apiKey: KEY })('made-up')
    const first = await generateText({ model, messages: [user(task)] })
    replies.push(first.text)
    const stream = streamText({ model, messages: [user(task), assistant(first.text), user(complaint)] })
    replies.push(await stream.text)
    const tools = {
      look: toolOf({
        description: LOOK_ABOUT,
        inputSchema: z.object({ at: z.number().int().min(1) }),
        execute: look,
      }),
    }
    replies.push(
      (await generateText({ model, prompt: tool, tools, stopWhen: (stepCountIs ?? isStepCount)(4) })).text,
    )
    await pause()
    replies.push((await generateText({ model, prompt: again })).text)
  },
  async langchain() {
    const { createAgent, tool: toolOf } = await import('langchain')
    const { ChatOpenAI } = await import('@langchain/openai')
    const { z } = await import('zod')
    const model = new ChatOpenAI({ model: 'made-up', apiKey: KEY, configuration: { baseURL: `${BASE}/v1` } })
    const first = await model.invoke([user(task)])
    replies.push(first.text)
    let text = ''
    for await (const chunk of await model.stream([user(task), first, user(complaint)])) text += chunk.text
    replies.push(text)
    const own = toolOf(look, {
      name: 'look',
      description: LOOK_ABOUT,
      schema: z.object({ at: z.number().int() }),
    })
    const result = await createAgent({ model, tools: [own] }).invoke({ messages: [user(tool)] })
    replies.push(result.messages.at(-1).text)
    await pause()
    replies.push((await model.invoke([user(again)])).text)
  },
  async langgraph() {
    const { MemorySaver, MessagesAnnotation, StateGraph } = await import('@langchain/langgraph')
    const { ToolNode, toolsCondition } = await import('@langchain/langgraph/prebuilt')
    const { tool: toolOf } = await import('@langchain/core/tools')
    const { ChatOpenAI } = await import('@langchain/openai')
    const { z } = await import('zod')
    const own = toolOf(look, {
      name: 'look',
      description: LOOK_ABOUT,
      schema: z.object({ at: z.number().int() }),
    })
    const configuration = { baseURL: `${BASE}/v1` }
    const bare = new ChatOpenAI({ model: 'made-up', apiKey: KEY, configuration })
    const graphWith = (model, tools) =>
      new StateGraph(MessagesAnnotation)
        .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
        .addNode('tools', new ToolNode(tools))
        .addEdge('__start__', 'model')
        .addConditionalEdges('model', toolsCondition)
        .addEdge('tools', 'model')
        .compile({ checkpointer: new MemorySaver() })
    const talk = graphWith(bare, [])
    const say = async (graph, content, thread_id) => {
      let text = ''
      const config = { configurable: { thread_id }, streamMode: 'messages' }
      for await (const [chunk] of await graph.stream({ messages: [user(content)] }, config))
        if (chunk.getType() === 'ai') text += chunk.text
      replies.push(text)
    }
    await say(talk, task, '1')
    await say(talk, complaint, '1')
    await say(graphWith(bare.bindTools([own]), [own]), tool, '2')
    await pause()
    await say(talk, again, '3')
  },
  async agents() {
    const {
      Agent,
      run,
      setDefaultOpenAIClient,
      setTracingDisabled,
      tool: toolOf,
    } = await import('@openai/agents')
    const { default: OpenAI } = await import('openai')
    const { z } = await import('zod')
    setTracingDisabled(true)
    setDefaultOpenAIClient(new OpenAI({ baseURL: `${BASE}/v1`, apiKey: KEY }))
    const about = {
      name: 'Harbour clerk',
      instructions: 'You keep the ledgers of a harbour.',
      model: 'made-up',
    }
    const clerk = new Agent(about)
    const first = await run(clerk, task)
    replies.push(first.finalOutput)
    const second = await run(clerk, [...first.history, user(complaint)], { stream: true })
    for await (const event of second) void event
    await second.completed
    replies.push(second.finalOutput)
    const own = toolOf({
      name: 'look',
      description: LOOK_ABOUT,
      parameters: z.object({ at: z.number() }),
      execute: look,
    })
    replies.push((await run(new Agent({ ...about, tools: [own] }), tool)).finalOutput)
    await pause()
    replies.push((await run(clerk, again)).finalOutput)
  },
  async anthropic() {
    const { default: Anthropic } = await import('@anthropic-ai/sdk')
    // The provider's own key passes through; Loam's travels beside it.
    const client = new Anthropic({ baseURL: BASE, apiKey: 'own-key', defaultHeaders: { 'x-loam-key': KEY } })
    const about = { model: 'claude-made-up', max_tokens: 800, system: 'You keep the ledgers of a harbour.' }
    const textOf = ({ content }) => content.map(({ text }) => text ?? '').join('')
    const first = await client.messages.create({ ...about, messages: [user(task)] })
    replies.push(textOf(first))
    const messages = [user(task), assistant(first.content), user(complaint)]
    replies.push(textOf(await client.messages.stream({ ...about, messages }).finalMessage()))
    const tools = [{ name: 'look', description: LOOK_ABOUT, input_schema: LOOK }]
    const call = await client.messages.create({ ...about, tools, messages: [user(tool)] })
    const { id, input } = call.content.find(({ type }) => type === 'tool_use')
    const result = user([{ type: 'tool_result', tool_use_id: id, content: look(input) }])
    const dialog = [user(tool), assistant(call.content), result]
    replies.push(textOf(await client.messages.create({ ...about, tools, messages: dialog })))
    await pause()
    replies.push(textOf(await client.messages.create({ ...about, messages: [user(again)] })))
  },
  async genai() {
    const { GoogleGenAI } = await import('@google/genai')
    const client = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: BASE } })
    const model = 'gemini-made-up'
    const chat = client.chats.create({ model })
    replies.push((await chat.sendMessage({ message: task })).text)
    let text = ''
    for await (const chunk of await chat.sendMessageStream({ message: complaint })) text += chunk.text ?? ''
    replies.push(text)
    const functionDeclarations = [{ name: 'look', description: LOOK_ABOUT, parametersJsonSchema: LOOK }]
    const acting = client.chats.create({ model, config: { tools: [{ functionDeclarations }] } })
    const [call] = (await acting.sendMessage({ message: tool })).functionCalls
    const functionResponse = { id: call.id, name: call.name, response: { output: look(call.args) } }
    replies.push((await acting.sendMessage({ message: [{ functionResponse }] })).text)
    await pause()
    replies.push((await client.models.generateContent({ model, contents: again })).text)
  },
}

await clients[process.argv[2]]()
process.stdout.write(`${JSON.stringify(replies)}\n`)
