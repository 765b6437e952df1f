import type { JobInfo } from '../../shared/domain/job'

/** Work that took less than this is waited for. */
const LONG_MS = 20_000

/** Whether this page may show notifications of the system: they can be asked for, are on, or are refused. */
export type MayNotify = 'ask' | 'yes' | 'no'

/** What the browser or the system says about notifications. */
export function mayNotify(): MayNotify {
  if (typeof Notification === 'undefined') return 'no'
  return Notification.permission === 'granted' ? 'yes' : Notification.permission === 'denied' ? 'no' : 'ask'
}

/** Asks the browser whether notifications may be shown. Only after a click: browsers refuse it otherwise. */
export async function askToNotify(): Promise<MayNotify> {
  if (mayNotify() === 'ask') await Notification.requestPermission()
  return mayNotify()
}

/** Tells of long work that ended while nobody looked at the window; a click on it calls `open`. Answers whether it did. */
export function notifyEnd(
  job: JobInfo,
  words: { readonly title: string; readonly detail: string },
  open: () => void,
) {
  const took = Date.parse(job.finishedAt ?? job.startedAt) - Date.parse(job.startedAt)
  if (took < LONG_MS || !document.hidden || mayNotify() !== 'yes') return false
  const note = new Notification(words.title, { body: words.detail, tag: job.id })
  note.addEventListener('click', () => {
    window.focus()
    note.close()
    open()
  })
  return true
}
