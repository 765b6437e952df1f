// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobInfo } from '../../../src/shared/domain/job'
import type { Stores } from '../../../src/renderer/stores/all-stores'
import { jobEnded } from '../../../src/renderer/stores/job-ended'
import { askToNotify, mayNotify, notifyEnd } from '../../../src/renderer/stores/notify'
import { jobInfo, partialClient } from '../fixtures'

const shown: { title: string; click: () => void }[] = []
class FakeNotification {
  static permission = 'default'
  static requestPermission = vi.fn(async () => (FakeNotification.permission = 'granted'))
  close = vi.fn()
  constructor(private readonly title: string) {}
  addEventListener(_kind: string, click: () => void) {
    shown.push({ title: this.title, click })
  }
}

const job = (seconds: number): JobInfo =>
  jobInfo({
    title: 'Case bank',
    status: 'done',
    finishedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
    subject: 'run-1',
  })
const hidden = (value: boolean) => vi.spyOn(document, 'hidden', 'get').mockReturnValue(value)
const tell = (seconds: number, open = () => undefined) =>
  notifyEnd(job(seconds), { title: 'Case bank: done', detail: '' }, open)

beforeEach(() => {
  shown.length = 0
  FakeNotification.permission = 'default'
  vi.stubGlobal('Notification', FakeNotification)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('asks once, and only when asked to', async () => {
  expect(mayNotify()).toBe('ask')
  expect(await askToNotify()).toBe('yes')
  expect(await askToNotify()).toBe('yes')
  expect(FakeNotification.requestPermission).toHaveBeenCalledTimes(1)
})

it('tells of long work that ended out of sight, and opens it on a click', () => {
  FakeNotification.permission = 'granted'
  hidden(true)
  const open = vi.fn()
  expect(tell(60, open)).toBe(true)
  shown[0]?.click()
  expect(open).toHaveBeenCalledOnce()
})

it('leads to the run or the ask whose end it tells of', () => {
  FakeNotification.permission = 'granted'
  hidden(true)
  const [openRun, openAsk, go] = [vi.fn(), vi.fn(), vi.fn()]
  const done = () => Promise.resolve()
  const store = (state: object) => ({ getState: () => state })
  const stores = {
    ...{
      memories: store({ reload: done }),
      softPrompts: store({ reload: done }),
      toasts: store({ show: vi.fn() }),
    },
    ...{ items: store({ memoryId: null }), ui: store({ go, screen: 'models' }) },
    ...{ runs: store({ load: done, open: openRun }), asks: store({ load: done, open: openAsk }) },
  } as unknown as Stores
  jobEnded(job(60), stores, partialClient({}))
  jobEnded({ ...job(60), kind: 'ask', subject: 'ask-1' }, stores, partialClient({}))
  shown.forEach(({ click }) => click())
  expect(openRun.mock.calls).toEqual([['run-1']])
  expect(openAsk.mock.calls).toEqual([['ask-1']])
  expect(go.mock.calls).toEqual([['run'], ['ask']])
})

it.each([
  ['short work', 5, true, 'granted'],
  ['work that was watched', 60, false, 'granted'],
  ['work of a person who did not allow it', 60, true, 'denied'],
])('says nothing of %s', (_what, seconds, out, permission) => {
  FakeNotification.permission = permission
  hidden(out)
  expect(tell(seconds)).toBe(false)
  expect(shown).toEqual([])
})
