import {
  bindingsIn,
  messageIn,
  valueIn,
  vectorsIn,
  type AnswerRequest,
} from '../../../ground/isolate/answers'
import { InParts, type Work } from '../../../ground/isolate/protocol'

/** Reads answers of servers that are too long for the host. */
export function openAnswers(): Work<AnswerRequest, unknown> {
  return (request) => {
    switch (request.as) {
      case 'value':
        return valueIn(request.text, request.most)
      case 'vectors':
        return vectorsIn(request.text)
      case 'bindings':
        return new InParts(null, bindingsIn(request.text))
      case 'message':
        return messageIn(request.text)
    }
  }
}
