import { aider } from './aider'
import { atif } from './atif'
import { chatgpt } from './chatgpt'
import { cline } from './cline'
import { claudeChats } from './claude-chats'
import { claudeCode } from './claude-code'
import { codex } from './codex'
import { geminiCli } from './gemini-cli'
import { jan } from './jan'
import { langfuse } from './langfuse'
import { langsmith } from './langsmith'
import { librechat } from './librechat'
import { lifelongAgentBench } from './lifelong-agent-bench'
import { lmStudio } from './lm-studio'
import type { LogFormat } from './log'
import { memento } from './memento'
import { opencode } from './opencode'
import { openWebui } from './open-webui'
import { openhands } from './openhands'
import { otel } from './otel'
import { owl } from './owl'
import { smolagents } from './smolagents'
import { sweAgent } from './swe-agent'

/** Every kind of log by other agents that is read as experiences. */
export const LOG_FORMATS: readonly LogFormat[] = [
  claudeCode,
  codex,
  geminiCli,
  cline,
  opencode,
  aider,
  smolagents,
  owl,
  sweAgent,
  openhands,
  lifelongAgentBench,
  atif,
  otel,
  langfuse,
  langsmith,
  chatgpt,
  claudeChats,
  librechat,
  openWebui,
  lmStudio,
  jan,
  memento,
]
