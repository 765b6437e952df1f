import { z } from 'zod'
import { declareConstraint, type DeclaredConstraint } from '../../../core/ground/constraint'
import { LoamError } from '../../../shared/errors'

/** The form that a client holds replies to, as OpenAI's protocol says it; `grammar` of llama-server is taken too. */
export const responseFormatSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
])
export type ResponseFormat = z.infer<typeof responseFormatSchema>

/** Any JSON object, in GBNF. */
const JSON_OBJECT = String.raw`root ::= object
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (pair ("," ws pair)*)? ws "}"
pair ::= string ":" ws value ws
array ::= "[" ws (value ws ("," ws value ws)*)? "]"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?
ws ::= [ \n\t]{0,8}`

/** What a client asked for; its schema is the client's own, and is refused in words where it cannot be enforced. */
const clientConstraint = declareConstraint<[schema: Readonly<Record<string, unknown>> | null]>(
  'client-form',
  (schema) => (schema === null ? { kind: 'gbnf', grammar: JSON_OBJECT } : { kind: 'json-schema', schema }),
  () => [
    [null],
    [{ type: 'object', properties: { colour: { enum: ['red', 'green'] }, count: { type: 'integer' } } }],
  ],
)

/**
 * The constraint for a client's form; undefined for plain text.
 * @throws LoamError `BAD_INPUT` for a form together with tools
 */
export function clientForm(
  format: ResponseFormat | null | undefined,
  withTools: boolean,
): DeclaredConstraint | undefined {
  if (!format || format.type === 'text') return undefined
  if (withTools)
    throw new LoamError('BAD_INPUT', 'A reply is held to a form or calls tools, not both.', {
      suggestion: 'Send response_format or tools.',
    })
  return clientConstraint(format.type === 'json_object' ? null : format.json_schema.schema)
}
