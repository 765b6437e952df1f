import { expect, it, vi } from 'vitest'
import { offerAtIcon, type IconMenuOptions } from '../../../src/main/desktop/icon-menu'
import { installerConfig } from '../../../scripts/installer/config.mjs'
import { readStartOptions } from '../../../src/main/start-options'

function rig(change: Pick<IconMenuOptions, 'platform'> & Partial<IconMenuOptions>, outcome = 'ok') {
  const told = {
    ...{ newAsk: vi.fn(), setAppName: vi.fn(), setDockMenu: vi.fn(), log: vi.fn() },
    setJumpList: vi.fn(() => outcome),
  }
  offerAtIcon({ ...told, program: 'C:\\Loam\\Loam.exe', data: undefined, ...change })
  return told
}

it('offers a new ask in the Dock', () => {
  const { setDockMenu, setJumpList, newAsk } = rig({ platform: 'darwin' })
  expect(setJumpList).not.toHaveBeenCalled()
  const [[[item]]] = setDockMenu.mock.calls as [[[{ label: string; click: () => void }]]]
  expect(item.label).toBe('New Ask')
  item.click()
  expect(newAsk).toHaveBeenCalledOnce()
})

it.each([undefined, 'D:\\my data'])(
  'offers recent files and a new ask on Windows, of its own data: %s',
  (data) => {
    const { setAppName, setDockMenu, setJumpList, log } = rig({ platform: 'win32', data })
    const { appId } = installerConfig({ app: '/app', output: '/dist', electron: undefined })
    expect(setAppName.mock.calls).toEqual([[appId]])
    expect(setDockMenu).not.toHaveBeenCalled()
    const [[categories]] = setJumpList.mock.calls as unknown as [
      [{ type: string; items?: { args: string }[] }[]],
    ]
    expect(categories.map(({ type }) => type)).toEqual(['recent', 'tasks'])
    const args = categories[1]?.items?.[0]?.args ?? ''
    // As Windows divides a line into arguments.
    const parts = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    expect(readStartOptions(parts, 'window')).toMatchObject({ newAsk: true, data })
    expect(log).not.toHaveBeenCalled()
  },
)

it('says in the log what Windows did not like', () => {
  const { log } = rig({ platform: 'win32' }, 'customCategoryAccessDeniedError')
  expect(log.mock.calls).toEqual([[expect.stringContaining('customCategoryAccessDeniedError')]])
})

it.each([
  ['win32', null],
  ['linux', '/opt/Loam/loam'],
] as const)('offers nothing on %s with %s', (platform, program) => {
  const { setAppName, setDockMenu, setJumpList } = rig({ platform, program })
  expect([setAppName, setDockMenu, setJumpList].some((one) => one.mock.calls.length > 0)).toBe(false)
})
