import { AIRLINE } from './airline'
import { MOCK } from './mock'
import { RETAIL } from './retail'
import { TELECOM } from './telecom'
import type { ToolSet } from './tool'

/** The domains whose tools Loam has, by their name in tau2-bench. */
export const TOOL_SETS: Readonly<Record<string, ToolSet>> = {
  retail: RETAIL,
  airline: AIRLINE,
  telecom: TELECOM,
  mock: MOCK,
}
