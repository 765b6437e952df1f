import type { Study, Suite } from '../../../shared/domain/experiment'
import { variantOf } from '../../../core/lab/experiment'
import { UsageError, type Arguments } from '../arguments'
import { BOUNDS } from '../../../shared/domain/bounds'

/**
 * A definition with what is given of its methods and its suite. Methods are named as its variants are, which keep the settings that the file gives
 * them, or as methods. Worlds that are named are played by every method; streams that are named too, also those that else only some are
 * played on.
 * @throws UsageError where there is no suite to say it of
 */
export function withChosen(output: Study, args: Arguments): Study {
  const streams = args.list('streams')
  const worlds = args.wholeList('worlds', BOUNDS.world)
  const orders = args.whole('orders', BOUNDS.orders)
  const methods = args.list('methods')
  const { suite } = output
  const references = output.methods.map((entry) => ({ entry, name: variantOf(entry).name }))
  const choices = methods?.map((name) => references.find((one) => one.name === name)?.entry ?? name)
  if (!suite) {
    if (streams || worlds || orders !== undefined)
      throw new UsageError(
        '--streams, --worlds and --orders are for a suite, such as "loam experiment lifelong-suite"',
      )
    return { ...output, ...(choices && { methods: choices }) }
  }
  const getSelection = (names: readonly string[]): string[] =>
    names.filter((name) => methods === undefined || methods.includes(name))
  const { more, only } = suite
  const further: Suite['more'] =
    more && worlds === undefined ? { worlds: more.worlds, methods: getSelection(more.methods) } : undefined
  const limited = Object.entries(only).map(([stream, names]) => [stream, getSelection(names)] as const)
  return {
    ...output,
    ...(choices && { methods: choices }),
    suite: {
      streams: streams ?? suite.streams,
      worlds: worlds ?? suite.worlds,
      orders: orders ?? suite.orders,
      ...(further && further.methods.length > 0 && { more: further }),
      only: streams ? {} : Object.fromEntries(limited),
    },
  }
}
