import type { MethodWords } from '../../shared/domain/method'
import { LoamError } from '../../shared/errors'
import { aMem } from './amem/amem'
import { ace } from './ace/ace'
import { agentKb } from './agent-kb/agent-kb'
import { awm } from './awm/awm'
import { brew } from './brew/brew'
import { caseBank } from './case-bank/case-bank'
import { dynamicCheatsheet } from './dynamic-cheatsheet/dynamic-cheatsheet'
import { evosc } from './evosc/evosc'
import { caseBankNec } from './case-bank-nec/case-bank-nec'
import { caseBankQ } from './case-bank-q/case-bank-q'
import { caseBankSoftQ } from './case-bank-softq/case-bank-softq'
import { loam } from './loam/loam'
import type { Method } from '../ground/method'
import { moduleList } from '../ground/module-list'
import { none } from './none/none'
import { oracle } from './oracle/oracle'
import { reasoningBank } from './reasoning-bank/reasoning-bank'
import { replay } from './replay/replay'
import { scm } from './scm/scm'

/** Every learning method, in the order people should meet them. */
export const METHODS = moduleList<Method>([
  none,
  replay,
  caseBank,
  caseBankQ,
  caseBankSoftQ,
  caseBankNec,
  evosc,
  awm,
  scm,
  aMem,
  reasoningBank,
  dynamicCheatsheet,
  ace,
  agentKb,
  brew,
  loam,
  oracle,
])

/** A method as people know it; its id where it is not in the list, as a variant of an experiment, or a module that is off. */
export const methodTitle = (id: string): string =>
  METHODS.find(({ info }) => info.id === id)?.info.title ?? id

/** Throws `BAD_INPUT` naming the known methods when there is no such method. */
export function findMethod(id: string): Method {
  const method = METHODS.find((candidate) => candidate.info.id === id)
  if (!method) {
    throw new LoamError('BAD_INPUT', `There is no method called "${id}".`, {
      suggestion: `Use one of: ${METHODS.map((knownMethod) => knownMethod.info.id).join(', ')}.`,
    })
  }
  return method
}

/** The first method that says of itself that it is chosen there until a person chooses otherwise. */
export function suggestedMethod(place: NonNullable<MethodWords['suggested']>[number]): Method {
  const method = METHODS.find(({ info }) => info.suggested?.includes(place))
  if (!method) throw new Error(`No method is suggested for ${place}.`)
  return method
}
