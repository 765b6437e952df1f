import type { SqlValue } from '../ground/ports'

/** Rows up to which the sort is a plain insertion sort, which keeps ties in order (libstdc++'s `_S_threshold`). */
const THRESHOLD = 16

type Less<T> = (a: T, b: T) => boolean

/**
 * Sorts in place step by step as libstdc++'s `std::sort`, which MySQL's filesort calls without LIMIT. It is not stable: beyond 16
 * rows ties come out in an order of their own, and MySQL's users see that order.
 */
export function filesort<T>(rows: T[], less: Less<T>): void {
  introsort(rows, 0, rows.length, less, 2 * Math.floor(Math.log2(Math.max(1, rows.length))))
  insertionSort(rows, 0, Math.min(THRESHOLD, rows.length), less)
  for (let i = THRESHOLD; i < rows.length; i++) insert(rows, i, less)
}

const at = <T>(rows: readonly T[], index: number): T => rows[index] as T

function swap<T>(rows: T[], a: number, b: number): void {
  const selection = at(rows, a)
  rows[a] = at(rows, b)
  rows[b] = selection
}

function introsort<T>(rows: T[], first: number, end: number, less: Less<T>, depth: number): void {
  let last = end
  for (let remainingCount = depth; last - first > THRESHOLD; remainingCount--) {
    if (remainingCount === 0) {
      heapsort(rows, first, last, less)
      return
    }
    const cut = partition(rows, first, last, less)
    introsort(rows, cut, last, less, remainingCount - 1)
    last = cut
  }
}

/** Reached only by input made to defeat the partition; ties there are in no promised order. */
function heapsort<T>(rows: T[], first: number, last: number, less: Less<T>): void {
  const part = rows.slice(first, last).sort((a, b) => (less(a, b) ? -1 : less(b, a) ? 1 : 0))
  part.forEach((row, i) => (rows[first + i] = row))
}

function partition<T>(rows: T[], first: number, last: number, less: Less<T>): number {
  medianToFirst(rows, first, first + 1, first + Math.floor((last - first) / 2), last - 1, less)
  const pivot = at(rows, first)
  let low = first + 1
  let high = last
  for (;;) {
    while (less(at(rows, low), pivot)) low++
    high--
    while (less(pivot, at(rows, high))) high--
    if (low >= high) return low
    swap(rows, low, high)
    low++
  }
}

function medianToFirst<T>(rows: T[], to: number, a: number, b: number, c: number, less: Less<T>): void {
  const below = (x: number, y: number): boolean => less(at(rows, x), at(rows, y))
  if (below(a, b)) swap(rows, to, below(b, c) ? b : below(a, c) ? c : a)
  else swap(rows, to, below(a, c) ? a : below(b, c) ? c : b)
}

function insertionSort<T>(rows: T[], first: number, last: number, less: Less<T>): void {
  for (let i = first + 1; i < last; i++) insert(rows, i, less)
}

/** Moves a row down past those that come after it; never past an equal one. */
function insert<T>(rows: T[], index: number, less: Less<T>): void {
  const row = at(rows, index)
  let i = index
  while (i > 0 && less(row, at(rows, i - 1))) {
    rows[i] = at(rows, i - 1)
    i--
  }
  rows[i] = row
}

/** Whether one row of sort keys comes before another: NULL first, numbers by size, text without regard to case. */
export function keysBefore(
  a: readonly SqlValue[],
  b: readonly SqlValue[],
  keys: readonly { readonly descending: boolean }[],
): boolean {
  for (const [i, { descending }] of keys.entries()) {
    const order = compareValues(a[i] ?? null, b[i] ?? null)
    if (order !== 0) return descending ? order > 0 : order < 0
  }
  return false
}

const LETTERS = /[A-Z]/g

function compareValues(a: SqlValue, b: SqlValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // As SQLite's NOCASE: only the letters A to Z are folded.
  const [restText, right] = [a, b].map((value) =>
    String(value).replace(LETTERS, (letter) => letter.toLowerCase()),
  )
  return restText === right ? 0 : (restText ?? '') < (right ?? '') ? -1 : 1
}
