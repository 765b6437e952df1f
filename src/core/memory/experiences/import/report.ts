import { isRecord } from '../../../ground/record'

/**
 * Whether a report of a patch's tests says that the task was resolved: a flag of its own or under the task's id, or the id in a list of a harness's
 * summary. Null where it does not say.
 */
export function resolvedIn(report: unknown, id: string | null): boolean | null {
  if (!isRecord(report)) return null
  if (typeof report['resolved'] === 'boolean') return report['resolved']
  if (id !== null) {
    const own = report[id]
    if (isRecord(own) && typeof own['resolved'] === 'boolean') return own['resolved']
    if (listHas(report['resolved_ids'] ?? report['resolved'], id)) return true
    if (listHas(report['unresolved_ids'] ?? report['unresolved'], id)) return false
    if (listHas(report['error_ids'], id) || listHas(report['empty_patch_ids'], id)) return false
  }
  return isRecord(report['report']) ? resolvedIn(report['report'], id) : null
}

const listHas = (list: unknown, id: string): boolean => Array.isArray(list) && list.includes(id)
