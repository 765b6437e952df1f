/** Templates of the rubric judge, the reflector and the integrator. */
export const TEMPLATES = {
  rubric: 'brew-rubric',
  reflect: 'brew-reflect',
  integrate: 'brew-integrate',
} as const

/** The integrator's as the paper prints it (A.1). */
export const PRINTED_INTEGRATOR = 'brew-paper-integrate'
