import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Document } from '@langchain/core/documents'
import { load } from '@langchain/core/load'
import { parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import Papa from 'papaparse'
import { validate } from 'skills-ref'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { keepFact, rememberedFact } from '../../../src/core/memory/facts/new-fact'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { openMemories, type Memories } from '../../../src/main/memories/memories'
import { createRng } from '../../../src/shared/random'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'
import { leftCount } from '../../../src/shared/domain/reading'
import { writtenCounts } from '../../../src/shared/domain/item-transfer'
import { doorsOf } from '../../fixtures/doors'
import { fillMemory } from '../../core/formats/memories'
import { trajectoryOf, wordEmbedder } from '../memory-store/fixtures'

const NOW = new Date(Date.UTC(2026, 5, 1))
let folder: string
let data: DataFolder
let memories: Memories
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-formats-'))
  const clock = { now: () => NOW }
  data = await openDataFolder(join(folder, 'data'), { clock })
  const embedder = wordEmbedder()
  memories = openMemories({
    data,
    clock,
    embedder: () => Promise.resolve(embedder),
  })
  await fillMemory(await memories.open(memory()))
})
afterEach(async () => {
  await memories.close()
  await data.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
const memory = () => join(folder, 'space')
const doors = () => doorsOf(memories, NOW)
const write = async (format: string): Promise<{ path: string; counts: Readonly<Record<string, number>> }> => {
  const path = join(folder, 'out', format)
  const { kinds } = await doors().export(memory(), { path, format })
  return { path, counts: writtenCounts(kinds) }
}
const jsonLines = async (path: string): Promise<unknown[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
const filesBelow = async (path: string): Promise<string[]> =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('what other programs read', () => {
  it('Agent Skills: the reference validator finds nothing wrong with any skill', async () => {
    const { path, counts } = await write('agent-skills')
    const skills = await readdir(path)
    expect(skills.length).toBeGreaterThanOrEqual(3)
    for (const skill of skills) expect([skill, await validate(join(path, skill))]).toEqual([skill, []])
    expect(counts).toMatchObject({ lesson: 2, workflow: 1, document: 2 })
    await expect(doors().export(memory(), { path, format: 'agent-skills' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('LangChain loads every line as a document', async () => {
    const { path, counts } = await write('langchain')
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    const documents = await Promise.all(lines.map((line) => load<Document>(line)))
    expect(
      documents.every(
        (one) => one instanceof Document && one.pageContent !== '' && typeof one.id === 'string',
      ),
    ).toBe(true)
    expect(documents).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0))
    expect(documents.map(({ metadata }) => metadata['kind'] as string)).toContain('lesson')
  })

  it('LlamaIndex: every node has the fields of its TextNode', async () => {
    const { path, counts } = await write('llama-index')
    const nodes = z
      .array(
        z.strictObject({
          class_name: z.literal('TextNode'),
          id_: z.string().min(1),
          text: z.string().min(1),
          mimetype: z.literal('text/plain'),
          metadata: z.looseObject({ title: z.string().min(1) }),
          relationships: z.strictObject({}),
          ...{ embedding: z.null(), start_char_idx: z.null(), end_char_idx: z.null() },
          ...{
            excluded_embed_metadata_keys: z.string().array(),
            excluded_llm_metadata_keys: z.string().array(),
          },
          ...{ metadata_template: z.string(), metadata_separator: z.string(), text_template: z.string() },
        }),
      )
      .parse(JSON.parse(await readFile(path, 'utf8')))
    expect(nodes).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0))
  })

  it('Parquet and the dataset folder: every row with its vector, found by the card', async () => {
    const { path } = await write('hf-dataset')
    const card = (await readFile(join(path, 'README.md'), 'utf8')).split('---\n')
    const { configs } = z
      .object({
        configs: z.array(
          z.object({
            config_name: z.literal('default'),
            data_files: z.array(z.object({ split: z.string(), path: z.string() })),
          }),
        ),
      })
      .parse(parse(card[1] ?? ''))
    const table = await readFile(join(path, configs[0]?.data_files[0]?.path ?? ''))
    const rows = await parquetReadObjects({
      file: table.buffer.slice(table.byteOffset, table.byteOffset + table.length) as ArrayBuffer,
    })
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      expect((row['vector'] as number[]).length).toBe(wordEmbedder().dimension)
      expect(typeof row['text']).toBe('string')
    }
    const alone = await write('parquet')
    const report = await doors().importPaths(join(folder, 'again'), alone.path)
    expect(report).toMatchObject({
      format: 'parquet',
      rows: rows.length,
      imported: rows.length,
      left: [],
      notes: [],
    })
    expect(await doors().importPaths(join(folder, 'again'), alone.path)).toMatchObject({
      imported: 0,
      duplicates: rows.length,
    })
    // The table of the folder brings the same back, and its card is left out with a reason.
    expect(await doors().importPaths(join(folder, 'again'), path)).toMatchObject({
      imported: 0,
      duplicates: rows.length,
      left: [{ file: 'README.md' }],
    })
  })

  it('CSV is a table whose texts are no formulas', async () => {
    const source = await memories.open(memory())
    await source.commit([
      {
        kind: 'memory-added',
        memory: {
          kind: 'lesson',
          id: 'l9',
          runId: 'r',
          environment: 'e',
          trajectoryIds: ['t'],
          createdAt: NOW.toISOString(),
          queue: 'error',
          text: '=HYPERLINK("x")',
        },
      },
    ])
    const { path } = await write('csv')
    const { data: rows, errors } = Papa.parse<Record<string, string>>(await readFile(path, 'utf8'), {
      header: true,
      skipEmptyLines: true,
    })
    expect(errors).toEqual([])
    expect(rows.every((row) => Object.keys(row).length === 9)).toBe(true)
    expect(rows.find(({ id }) => id === 'l9')?.text).toBe(`'=HYPERLINK("x")`)
  })

  it('mem0 and Letta: the shapes that they answer with and read', async () => {
    const mem0 = z.object({
      results: z.array(
        z.object({
          id: z.string(),
          memory: z.string().min(1),
          metadata: z.record(z.string(), z.unknown()),
          created_at: z.iso.datetime(),
          updated_at: z.iso.datetime(),
          user_id: z.string(),
        }),
      ),
    })
    expect(
      mem0.parse(JSON.parse(await readFile((await write('mem0')).path, 'utf8'))).results.length,
    ).toBeGreaterThan(10)
    const list = z.array(z.unknown())
    const letta = z.strictObject({
      agent_type: z.string(),
      core_memory: z.array(
        z.strictObject({
          created_at: z.string(),
          description: z.string().nullable(),
          is_template: z.boolean(),
          label: z.string().max(50),
          limit: z.number().int(),
          metadata_: z.record(z.string(), z.unknown()).nullable(),
          template_name: z.string().nullable(),
          updated_at: z.string(),
          value: z.string(),
        }),
      ),
      created_at: z.string(),
      description: z.string().nullable(),
      embedding_config: z.looseObject({
        embedding_model: z.string(),
        embedding_dim: z.number(),
        embedding_endpoint_type: z.string(),
      }),
      groups: list,
      identities: list,
      in_context_message_indices: z.array(z.number()),
      llm_config: z.looseObject({
        model: z.string(),
        model_endpoint_type: z.string(),
        context_window: z.number(),
      }),
      message_buffer_autoclear: z.boolean(),
      messages: list,
      metadata_: z.record(z.string(), z.unknown()).nullable(),
      multi_agent_group: z.unknown(),
      name: z.string(),
      system: z.string(),
      tags: list,
      tool_exec_environment_variables: list,
      tool_rules: list,
      tools: list,
      updated_at: z.string(),
      version: z.string(),
    })
    const agent = letta.parse(JSON.parse(await readFile((await write('letta')).path, 'utf8')))
    expect(agent.core_memory.length).toBeGreaterThan(10)
    expect(agent.core_memory.every(({ value, limit }) => value.length <= limit)).toBe(true)
  })

  it('a section goes into a file that is there, and into its own place again', async () => {
    const path = join(folder, 'AGENTS.md')
    await writeFile(path, '# My project\n\nRun `make`.\n')
    const origin = { id: 'f1', runId: 'r1', trajectoryId: 't1', environment: 'lab-db', at: NOW.toISOString() }
    const fact = rememberedFact('The Alma lies at berth 7.', origin)
    await (await memories.open(memory())).commit([...keepFact(fact, []).events])
    await doors().export(memory(), { path, format: 'agents-md' })
    const first = await readFile(path, 'utf8')
    expect(first).toMatch(/^# My project\n\nRun `make`\.\n\n<!-- loam:begin -->\n## Learned/)
    expect(first).toContain('- Count, then change.')
    expect(first).toContain('### Facts\n\n- The Alma lies at berth 7.\n')
    await writeFile(path, `${first}\n## After\n`)
    await doors().export(memory(), { path, format: 'agents-md' })
    expect(await readFile(path, 'utf8')).toBe(`${first}\n## After\n`)
  })

  it('an Obsidian vault: properties, and every link leads to a note', async () => {
    const { path } = await write('obsidian')
    const index = await readFile(join(path, 'Index.md'), 'utf8')
    const links = [...index.matchAll(/\[\[([^|\]]+)\|[^\]]+\]\]/g)].map((match) => match[1] ?? '')
    const notes = (await filesBelow(path)).filter((file) => !file.endsWith('Index.md'))
    expect(links.map((link) => join(path, `${link}.md`)).sort()).toEqual(notes.sort())
    for (const note of notes) {
      const [, front = ''] = (await readFile(note, 'utf8')).split('---\n')
      expect(parse(front)).toMatchObject({
        title: expect.any(String) as string,
        tags: expect.arrayContaining(['loam']) as string[],
      })
    }
  })

  it('llms.txt: a title, a summary, sections of links that lead to files', async () => {
    const { path } = await write('llms-txt')
    const text = await readFile(join(path, 'llms.txt'), 'utf8')
    expect(text).toMatch(/^# .+\n\n> .+\n\n## /)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(?:: .*)?$/gm)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) expect((await readFile(join(path, link), 'utf8')).length).toBeGreaterThan(3)
    const lines = text.split('\n').filter((line) => line !== '' && !/^(?:# |> |## |- \[)/.test(line))
    expect(lines).toEqual([])
  })

  it('training files: dialogs of what worked, pairs where attempts of one task part, and a folder for Axolotl', async () => {
    const source = await memories.open(memory())
    const task = {
      id: 'same',
      index: 0,
      environment: 'e',
      instruction: 'Count them.',
      context: 'A table.',
      skills: [],
    }
    const round = (index: number, completion: string, observation: string | null) => ({
      index,
      completion,
      action: { kind: 'operation' as const, content: completion },
      observation,
      usage: NO_USAGE,
    })
    const recalled = [
      {
        kind: 'case' as const,
        id: 'c',
        trajectoryId: null,
        title: 'Counted before',
        score: 1,
        scoreKind: 'cosine',
        reward: 1 as const,
        tokens: 1,
      },
    ]
    await source.commit([
      {
        kind: 'trajectory-added',
        trajectory: trajectoryOf('good', {
          task,
          reward: 1,
          recalled,
          rounds: [round(0, 'LOOK', '3 rows'), round(1, 'SAY 3', null)],
        }),
      },
      {
        kind: 'trajectory-added',
        trajectory: trajectoryOf('bad', {
          task,
          reward: 0,
          rounds: [round(0, 'LOOK', '3 rows'), round(1, 'SAY 2', null)],
        }),
      },
    ])
    const asked = { role: 'user', content: 'A table.\n\nCount them.' }
    const before = [asked, { role: 'assistant', content: 'LOOK' }, { role: 'user', content: '3 rows' }]
    const chosen = { role: 'assistant', content: 'SAY 3' }
    const rejected = { role: 'assistant', content: 'SAY 2' }
    expect(await jsonLines((await write('sft')).path)).toContainEqual({ messages: [...before, chosen] })
    expect(await jsonLines((await write('dpo')).path)).toEqual([
      { prompt: before, chosen: [chosen], rejected: [rejected] },
    ])
    expect(await jsonLines((await write('sentence-pairs')).path)).toContainEqual({
      sentence1: 'Count them.',
      sentence2: 'Counted before',
      label: 1,
    })
    const { path } = await write('axolotl')
    const config = parse(await readFile(join(path, 'dpo.yaml'), 'utf8')) as {
      rl: string
      datasets: { path: string }[]
    }
    expect(config.rl).toBe('dpo')
    expect(await jsonLines(join(path, config.datasets[0]?.path ?? ''))).toEqual([
      { messages: before, chosen, rejected },
    ])
    expect(await jsonLines(join(path, 'sft.jsonl'))).toContainEqual({ messages: [...before, chosen] })
  })
})

describe('what other programs wrote', () => {
  const take = async (name: string, text: string | Uint8Array) => {
    const path = join(folder, 'in', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    return doors().importPaths(join(folder, 'target'), path)
  }
  const notes = async () =>
    (await (await memories.open(join(folder, 'target'))).items('note')).map(({ title, context, tags }) => ({
      title,
      context,
      tags,
    }))

  it('texts become notes, facts stay facts, a skill a document, once each', async () => {
    const files: readonly (readonly [string, string | Uint8Array, string])[] = [
      [
        'm.json',
        JSON.stringify({
          results: [
            {
              id: '1',
              memory: 'Likes tea',
              hash: 'x',
              metadata: null,
              categories: ['taste'],
              created_at: '2025-01-01T00:00:00Z',
            },
          ],
        }),
        'mem0',
      ],
      [
        'd.jsonl',
        JSON.stringify({ page_content: 'A quay is a wall.', metadata: { title: 'Quay' }, type: 'Document' }),
        'langchain',
      ],
      ['n.md', '---\ntags: [harbor]\ncreated: 2025-01-01\n---\n# Moorings\n\nUse two lines.\n', 'obsidian'],
      [
        'SKILL.md',
        '---\nname: tie-knots\ndescription: Use when a boat is to be tied.\n---\n\n1. Make a loop.\n',
        'agent-skills',
      ],
      [
        'p.txt',
        '## COMMON MISTAKES TO AVOID\n[err-00001] helpful=2 harmful=0 :: Never guess a column.\n',
        'ace',
      ],
      [
        'a.af',
        JSON.stringify({
          agent_type: 'x',
          core_memory: [{ label: 'human', value: 'Sails.' }],
          llm_config: {},
        }),
        'letta',
      ],
      [
        't.parquet',
        new Uint8Array(
          parquetWriteBuffer({ columnData: [{ name: 'text', data: ['From a table.'], type: 'STRING' }] }),
        ),
        'parquet',
      ],
    ]
    for (const [name, text, format] of files) {
      expect(await take(name, text)).toMatchObject({ format, rows: 1, imported: 1, left: [] })
      expect(await take(name, text)).toMatchObject({ rows: 1, imported: 0, duplicates: 1 })
    }
    // What would come in is named by what it says.
    const facts = await take('m.json', files[0]?.[1] ?? '')
    expect(facts.kinds.flatMap(({ samples }) => samples.map(({ title }) => title))).toEqual(['Likes tea'])
    expect(await notes()).toEqual([
      { title: 'Quay', context: 'A quay is a wall.', tags: [] },
      { title: 'Moorings', context: '# Moorings\n\nUse two lines.', tags: ['harbor'] },
      { title: 'human', context: 'Sails.', tags: [] },
      { title: 'From a table.', context: 'From a table.', tags: [] },
    ])
    const target = await memories.open(join(folder, 'target'))
    // What mem0 keeps are facts.
    expect((await target.items('fact')).map(({ statement }) => statement)).toEqual(['Likes tea'])
    expect((await target.items('lesson')).map(({ text, queue }) => [text, queue])).toEqual([
      ['Never guess a column.', 'error'],
    ])
    expect(
      [...target.concepts.versions.values()].map(({ concept, text }) => [
        concept,
        text.whenToUse,
        text.howToUse,
      ]),
    ).toEqual([['tie-knots', 'Use when a boat is to be tied.', '1. Make a loop.']])
  })

  it('damaged tables are answered with counts and reasons', async () => {
    const whole = await readFile((await write('parquet')).path)
    const random = createRng('tables')
    for (let n = 0; n < 200; n++) {
      const bytes = Buffer.from(n % 3 === 0 ? whole.subarray(0, random.int(whole.length)) : whole)
      if (n % 3 !== 0)
        for (let flips = 0; flips < 3; flips++) bytes[random.int(bytes.length)] = random.int(256)
      bytes.write('PAR1')
      const report = await take('damaged.parquet', bytes)
      expect(report.rows).toBe(report.imported + report.duplicates + leftCount(report))
    }
  })
})
