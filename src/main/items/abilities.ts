import type { KindAbility, MemorySource } from '../../core/memory/items/kind'
import { LoamError } from '../../shared/errors'
import { requireKind } from './apply-step'

/** What is asked of an ability of a kind. */
export interface AbilityCall {
  readonly memoryId: string
  readonly kind: string
  readonly ability: string
  readonly does: KindAbility['does']
  readonly input: Readonly<Record<string, unknown>>
}

/** Abilities that need more than the memory (models, runs): by kind and ability. `input` has been checked and names the memory. */
export type HostedAbilities = Readonly<
  Record<
    string,
    Readonly<Record<string, (input: Readonly<Record<string, unknown>>, signal?: AbortSignal) => unknown>>
  >
>

/** Answers what only one kind can tell or do. @throws LoamError `NOT_FOUND` for an ability it has not, `BAD_INPUT` */
export async function callAbility(
  { kind: kindId, ability, does, memoryId, input: notice }: AbilityCall,
  from: { readonly hosted: HostedAbilities; source(): Promise<MemorySource>; readonly now: Date },
  signal?: AbortSignal,
): Promise<unknown> {
  const { abilities = [] } = requireKind(kindId)
  const wantedAbility = abilities.find((one) => one.id === ability && one.does === does)
  const hosted = wantedAbility && from.hosted[kindId]?.[wantedAbility.id]
  if (!wantedAbility || !(wantedAbility.answer ?? hosted))
    throw new LoamError('NOT_FOUND', `The kind "${kindId}" has nothing called "${ability}".`, {
      suggestion: `It has: ${abilities.map(({ id }) => id).join(', ') || 'nothing'}.`,
    })
  const input = wantedAbility.input.safeParse(notice)
  if (!input.success)
    throw new LoamError('BAD_INPUT', `"${ability}" cannot be asked so: ${input.error.issues[0]?.message}.`, {
      suggestion: 'See what the ability is told.',
      underlying: input.error,
    })
  return wantedAbility.answer
    ? wantedAbility.answer(await from.source(), input.data, from.now)
    : hosted?.({ ...input.data, memoryId }, signal)
}
