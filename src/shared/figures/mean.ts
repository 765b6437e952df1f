/** Sum of the values; 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** Arithmetic mean; null for no values, so that "nothing measured" is never shown as 0. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sum(values) / values.length

/** The values that are known. */
export const finiteValues = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => value !== null && value !== undefined)

/** Column-wise means of lists of equal meaning; as long as the shortest list, empty for no lists. */
export function columnMeans(lists: readonly (readonly number[])[]): number[] {
  const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length))
  return Array.from({ length }, (_, i) => mean(lists.map((list) => list[i] ?? 0)) ?? 0)
}
