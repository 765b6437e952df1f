import { wilson } from '../../src/shared/figures/wilson'

/** A share in words, with Wilson's interval at 95 %. */
export function share(part: number, of: number): string {
  if (of === 0) return '-'
  const { rate, low, high } = wilson(part, of)
  return `${part} of ${of}, ${rate.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
}
