import type { CurveChoices } from '../../../shared/domain/curve'
import { streamName } from '../../components/format'

interface Titled {
  readonly id: string
  readonly title: string
}

/** The title of a method or stream; what its id says where no list has it. */
export const titleIn = (list: readonly Titled[] | null, id: string): string =>
  list?.find((item) => item.id === id)?.title ?? streamName(id)

/** The choices in which every typed word occurs: in name, method, stream, model, seed, K or status. */
export function matching(
  choices: CurveChoices,
  text: string,
  methods: readonly Titled[] | null,
  streams: readonly Titled[] | null,
): CurveChoices {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (parts: readonly string[]) => {
    const all = parts.join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return {
    experiments: choices.experiments.filter((item) =>
      has([
        item.name,
        item.id,
        item.stream,
        titleIn(streams, item.stream),
        item.status,
        ...item.methods.flatMap((method) => [method, titleIn(methods, method)]),
      ]),
    ),
    runs: choices.runs.filter((item) =>
      has([
        item.id,
        item.method,
        titleIn(methods, item.method),
        item.stream,
        titleIn(streams, item.stream),
        item.model,
        `seed ${item.seed}`,
        item.exp === null ? '' : `exp ${item.exp}`,
        item.status,
      ]),
    ),
  }
}
