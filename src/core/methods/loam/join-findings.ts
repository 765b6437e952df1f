import type { RecalledPart } from '../../ground/method'
import { isFinding } from './findings'
import { statementsOf } from '../../recall/statements'

/** Findings that begin alike side by side, so that they are said in one line: `Harbor rules: price cents, guest lower`. */
export function joinFindings(parts: readonly RecalledPart[]): RecalledPart[] {
  const recalledParts = parts.map((part) => {
    const [statement, ...more] = isFinding(part.item) ? statementsOf(part.text) : []
    return statement && more.length === 0 ? { ...part, lead: statement.lead } : part
  })
  const last = new Map(recalledParts.map((part, i) => [part.lead, i]))
  const placeOf = (part: RecalledPart, i: number): number =>
    part.lead === undefined ? i : (last.get(part.lead) ?? i)
  return recalledParts
    .map((part, i) => ({ part, i, place: placeOf(part, i) }))
    .sort((a, b) => a.place - b.place || a.i - b.i)
    .map(({ part }) => part)
}
