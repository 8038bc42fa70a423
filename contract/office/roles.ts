import type { officeRoutes } from './routes.ts'
import type { QueueName } from './queues.ts'
import { staffRoles, type StaffRole } from './staff.ts'

type Nouns = typeof officeRoutes
/** The name of a call, as `noun.verb`. */
export type OfficeCallName = {
  [N in keyof Nouns]: `${N & string}.${keyof Nouns[N] & string}`
}[keyof Nouns]

const everybody = staffRoles
const admin = ['admin'] as const
const finance = ['finance'] as const
const compliance = ['compliance'] as const
const publishers = ['content'] as const
/** Those who look after single members. */
const memberCare = ['support', 'compliance'] as const
/** Those who read requests of members. */
const reviewers = ['support', 'finance', 'compliance'] as const

/** Those who decide about something that waits: which items, depends on the call that decides them. */
const deciders = ['support', 'finance', 'compliance', 'admin'] as const

/** Which roles may make a call. A call that is not listed here does not compile. */
export const callRoles: Readonly<Record<OfficeCallName, readonly StaffRole[]>> = {
  'deposits.list': reviewers,
  'deposits.show': reviewers,
  'deposits.approve': finance,
  'deposits.reject': finance,
  'withdrawals.list': reviewers,
  'withdrawals.show': ['finance', 'compliance'],
  'withdrawals.approve': finance,
  'withdrawals.reject': finance,
  'withdrawals.pay': finance,
  'verifications.list': reviewers,
  'verifications.show': compliance,
  'verifications.approve': compliance,
  'verifications.reject': compliance,
  'verifications.revoke': compliance,
  'password-requests.list': memberCare,
  'password-requests.show': memberCare,
  'password-requests.approve': memberCare,
  'password-requests.reject': memberCare,
  'withdrawal-accounts.unbind': memberCare,
  'uploads.show': reviewers,
  'codes.list': ['support', 'admin'],
  'codes.issue': ['support', 'admin'],
  'codes.revoke': ['support', 'admin'],
  'members.list': reviewers,
  'members.show': reviewers,
  'members.facts': reviewers,
  'members.level': ['support'],
  'members.credit': ['support'],
  'members.orders': reviewers,
  'members.ledger': reviewers,
  'members.fund': reviewers,
  'members.sessions': memberCare,
  'members.identity': ['finance', 'compliance'],
  'members.timeline': reviewers,
  'members.notes': reviewers,
  'members.note': reviewers,
  'members.end-sessions': memberCare,
  'members.freeze': memberCare,
  'members.renew-freeze': memberCare,
  'members.unfreeze': compliance,
  'search.find': reviewers,
  'orders.show': reviewers,
  'orders.proof': reviewers,
  'queues.list': everybody,
  'queues.show': deciders,
  'queues.next': deciders,
  'queues.decided': deciders,
  'queues.claim': deciders,
  'queues.release': deciders,
  'proposals.list': deciders,
  'proposals.confirm': deciders,
  'proposals.decline': deciders,
  'proposals.cancel': deciders,
  'news.publish': publishers,
  'news.versions': publishers,
  'news.version': publishers,
  'news.republish': publishers,
  'highlights.publish': publishers,
  'highlights.versions': publishers,
  'highlights.version': publishers,
  'highlights.republish': publishers,
  'pages.publish': publishers,
  'pages.versions': publishers,
  'pages.version': publishers,
  'pages.republish': publishers,
  'messages.send': ['support', 'content'],
  'service.list': memberCare,
  'service.show': memberCare,
  'service.done': memberCare,
  'service.reopen': memberCare,
  'service.reply': memberCare,
  'service.picture': memberCare,
  'site.show': everybody,
  'site.maintenance': admin,
  'site.open': admin,
  'products.list': everybody,
  'products.maintenance': admin,
  'products.open': admin,
  'limits.show': everybody,
  'limits.withdrawals': admin,
  'audit.list': ['compliance', 'admin'],
  'accounting.actions': ['compliance', 'admin'],
  'accounting.movements': ['finance', 'compliance', 'admin'],
  'clock.show': everybody,
  'clock.advance': admin,
  'staff.list': ['compliance', 'admin'],
  'staff.create': admin,
  'staff.role': admin,
  'staff.disable': admin,
  'staff.enrol': admin,
  'staff.reset-factors': admin,
}

/** The call that takes an item out of a queue: who may make it works on the queue. */
export const decidingCalls: Readonly<Record<QueueName, OfficeCallName>> = {
  deposits: 'deposits.approve',
  withdrawals: 'withdrawals.approve',
  payments: 'withdrawals.pay',
  verifications: 'verifications.approve',
  'password-requests': 'password-requests.approve',
  service: 'service.reply',
  proposals: 'proposals.confirm',
}

const callNames = Object.keys(callRoles) as OfficeCallName[]

/** Whether a role may make a call; null is a person with the desk's key, who may make every one. */
export const mayCall = (role: StaffRole | null, name: OfficeCallName): boolean =>
  role === null || callRoles[name].includes(role)

/** The calls that a role may make. */
export const callsOf = (role: StaffRole): OfficeCallName[] => callNames.filter((name) => mayCall(role, name))
