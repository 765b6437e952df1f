import type { SqlValue } from '../../ground/ports'
import { md5 } from '../../mysql/md5'

/** MySQL's default `group_concat_max_len`: beyond it the list of row hashes is cut. */
const GROUP_CONCAT_MAX_LENGTH = 1024

/**
 * The benchmark's fingerprint of a table: each row's cells joined by commas (NULLs left out), MD5, first five digits; these
 * sorted, joined by commas, cut at 1,024 characters, and MD5 again. `None` for a table without rows.
 */
export function tableHash(rows: readonly (readonly SqlValue[])[]): string {
  if (rows.length === 0) return 'None'
  const hashes = rows.map((row) =>
    md5(
      row
        .filter((cell) => cell !== null)
        .map(String)
        .join(','),
    ).slice(0, 5),
  )
  return md5(hashes.sort().join(',').slice(0, GROUP_CONCAT_MAX_LENGTH))
}
