import assert from 'node:assert/strict'
import { z } from 'zod'
import { canonicalJson } from '../../core/ground/canonical-json'
import { createRng } from '../../core/ground/random'
import { isRecord } from '../../core/ground/record'
import type { Change, MemoryKindModule, MemorySource } from '../../core/memory/items/kind'
import { LoamError } from '../../shared/errors'
import type { ItemField, ItemValues } from '../../shared/domain/item'
import { draw, check, saysSomething, type Check } from './draw'

/** What the suite stands on: memories that are empty. */
export interface KindRig {
  newMemory(): Promise<MemorySource>
}

const CHANGE: Change = { at: '2026-01-02T00:00:00.000Z', newId: 'change-1' }

const BAD_LINES = [null, 3, 'text', [], {}, { kind: 'another' }, { kind: 'case', item: null }]

/** Another value for a field. */
const valueFor = ({ kind }: ItemField): ItemValues[string] =>
  (
    { success: 0, truth: 1, lines: ['one', 'two'], day: '9999-12-31' } as Partial<
      Record<ItemField['kind'], ItemValues[string]>
    >
  )[kind] ?? 'written anew'

/** What every kind of learned text has to do, on an item drawn from its schema. Kinds that are kept otherwise have tests of their own. */
export function kindChecks(kind: MemoryKindModule, rig: () => KindRig): Check[] {
  const { info, learned } = kind
  const line = (): Readonly<Record<string, unknown>> => {
    const item = draw(
      z.toJSONSchema(learned?.schema ?? z.object({}), { unrepresentable: 'any' }),
      createRng(info.id),
    )
    const { pinned: _, ...rest } = isRecord(item) ? item : {}
    return { kind: info.id, item: rest }
  }
  const idOf = (item: Readonly<Record<string, unknown>>): string =>
    isRecord(item['item']) ? String(item['item']['id']) : ''
  const withItem = async () => {
    const source = await rig().newMemory()
    const item = line()
    assert.equal(await kind.fromLine(source, item, CHANGE), true)
    return { source, item, id: idOf(item) }
  }
  const learnedCheck = (name: string, run: () => Promise<void>): Check =>
    check(name, async () => {
      if (learned) await run()
    })
  return [
    check('has words, and fields with labels', () => {
      const { id, title, titleMany, help, fields } = info
      saysSomething({ id, title, titleMany, help })
      assert.match(help, /\.$/)
      for (const { key, label } of fields) saysSomething({ key, label })
      assert.equal(new Set(fields.map(({ key }) => key)).size, fields.length)
    }),
    learnedCheck('takes a line in once, lists it and opens it in full', async () => {
      const { source, item, id } = await withItem()
      assert.equal(await kind.fromLine(source, item, CHANGE), false)
      assert.deepEqual(
        Array.from(await kind.heads(source), (head) => head.id),
        [id],
      )
      const text = await kind.read(source, id)
      assert.ok(text)
      saysSomething({ title: text.title, text: text.text })
      assert.deepEqual(Object.keys(text.values).sort(), info.fields.map(({ key }) => key).sort())
      assert.ok(await kind.features(source, id), 'it has no features for recall')
      assert.equal(await kind.head(source, 'nobody'), null)
      assert.equal(await kind.read(source, 'nobody'), null)
    }),
    learnedCheck('keeps what a person writes into each field', async () => {
      const { source, id } = await withItem()
      const values = Object.fromEntries(info.fields.map((field) => [field.key, valueFor(field)]))
      const edited = await kind.edit(source, id, values, CHANGE)
      assert.deepEqual((await kind.read(source, edited))?.values, values)
    }),
    learnedCheck('is marked, deleted and restored', async () => {
      const { source, id } = await withItem()
      await kind.mark(source, id, 'pinned', CHANGE)
      assert.equal((await kind.head(source, id))?.mark, 'pinned')
      await kind.remove(source, id, CHANGE)
      assert.equal((await kind.head(source, id))?.gone?.why, 'deleted')
      await kind.restore(source, id, CHANGE)
      assert.equal((await kind.head(source, id))?.gone, null)
    }),
    learnedCheck('reads the line that it writes, in another memory, and writes it again', async () => {
      const { source, id } = await withItem()
      const output = await kind.toLine(source, id)
      const other = await rig().newMemory()
      assert.equal(await kind.fromLine(other, output, CHANGE), true)
      assert.equal(canonicalJson(await kind.toLine(other, id)), canonicalJson(output))
    }),
    check('refuses a line that is none, in words or by its schema', async () => {
      const source = await rig().newMemory()
      for (const bad of BAD_LINES) {
        const error: unknown = await kind.fromLine(source, bad, CHANGE).then(
          () => null,
          (problem: unknown) => problem,
        )
        assert.ok(error instanceof LoamError || error instanceof z.ZodError, JSON.stringify(bad))
      }
    }),
  ]
}
