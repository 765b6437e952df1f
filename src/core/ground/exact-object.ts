/** The JSON schema of an object that has each of these properties and no others. */
export const exactObject = (properties: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
