import type { ContractRouterClient } from '@orpc/contract'
import type { Contract } from '../shared/contract'

/** The contract as calls. Whichever way they travel, the screens only know this type. */
export type LoamClient = ContractRouterClient<Contract>
