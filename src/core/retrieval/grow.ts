type Column = Uint8Array | Uint32Array | Float32Array | Float64Array

const LEAST = 256

/** The column itself where it has room for `length` values, else a copy with room for half as many again. */
export function roomFor<C extends Column>(column: C, length: number): C {
  if (length <= column.length) return column
  const Kind = column.constructor as new (length: number) => C
  const wider = new Kind(Math.max(length, column.length + (column.length >> 1), LEAST))
  wider.set(column)
  return wider
}
