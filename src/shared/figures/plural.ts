const number = new Intl.NumberFormat('en')

/** 12345 as `12,345`. */
export const formatCount = (value: number): string => number.format(value)

/** A count with its noun: `1 case`, `4 cases`. `many` defaults to `one` + s. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** A share in [0, 1] as `78 %`. */
export const formatShare = (share: number): string => `${Math.round(share * 100)} %`
