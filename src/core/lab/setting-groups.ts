import type { SettingChanges } from '../../shared/domain/setting'
import { moveRoles, ROLES } from '../agent/roles'
import { AGENT } from '../agent/settings'
import { PRESENTATION } from '../ground/presentation'
import { checkChanges, parseChange, settingFields, type SettingGroup } from '../ground/settings'
import { METHODS } from '../methods'
import { ENVIRONMENTS } from '../tasks'

/** What can be set in a run besides methods: of every environment that has settings, of planner and executor, of all roles, and how memory is shown. */
export const otherSettings = (): SettingGroup[] => [
  ...ENVIRONMENTS.map(({ settings }) => settings).filter((group) => settingFields(group).length > 0),
  AGENT,
  ROLES,
  PRESENTATION,
]

/** Everything that can be set in a run. */
export const runSettings = (): SettingGroup[] => [
  ...METHODS.flatMap(({ settings }) => settings ?? []),
  ...otherSettings(),
]

/** Refuses misspelt names and values out of bounds. @throws LoamError `BAD_INPUT` */
export const checkRunSettings = (changes: SettingChanges): SettingChanges =>
  checkChanges(runSettings(), moveRoles(changes))

/** One setting of a run as it is written on the command line: `group.key=value`. @throws LoamError `BAD_INPUT` */
export const parseRunSetting = (text: string): SettingChanges =>
  parseChange(runSettings(), text.replace(OLD_ROLE, 'roles.'))

/** As models of roles were called once. */
const OLD_ROLE = /^agent\.(?=(planner|executor|judge)Model=)/
