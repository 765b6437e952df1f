/** Templates of the rubric judge, the reflector and the integrator. */
export const TEMPLATES = {
  rubric: 'brew-rubric',
  reflect: 'brew-reflect',
  integrate: 'brew-integrate',
} as const
