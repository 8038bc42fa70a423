/**
 * Notices: what is written down about people and sent to them. The log of what the staff does, with its hash chain
 * and the limit of looks; members' messages; notifications on devices; uploaded photos. It owns the tables of all
 * four.
 *
 * Start with `actLog/actLog.ts` and `messages/messages.ts`: both write within the transaction of the event they are
 * about. `push/push.ts` and `uploads/uploads.ts` follow.
 */
export {
  type ActDetails,
  type ActLog,
  type ActLogEntry,
  type ActLogEvent,
  type ActLogFilters,
  createActLog,
  createActWriter,
  lookMs,
} from './actLog/actLog.ts'
export { type ActChainCheck, type ActChainHead, verifyActChain } from './actLog/actChain.ts'
export { type Decision, decisionAct, toDecisionColumns } from './actLog/decision.ts'
export { countLooks, type Look, type Lookers } from './actLog/lookLimit.ts'
export { createMessages, type MessageDraft, type Messages } from './messages/messages.ts'
export { isMutedSql, type NewMessage, withReadAt } from './messages/mutes.ts'
export { createPush, keepMs, type Push } from './push/push.ts'
export type { PushTransport } from './push/webPush.ts'
export { audit, message, messageMute, upload } from './schema.ts'
export { checkUploadsFolder, uploadNamePattern } from './uploads/files.ts'
export { checkUploads } from './uploads/uploadCheck.ts'
export { createUploads, type Uploads } from './uploads/uploads.ts'
