/** Longest file of rows, in bytes, packed or not. */
export const LONGEST_ROWS = 256 * 1024 * 1024
