import type { backOfficeRoutes } from '../backOffice.ts'
import { staffRoles } from './staff.ts'
import type { StaffRole } from './staff.ts'

type Nouns = typeof backOfficeRoutes
/** The name of a call, as `noun.verb`. */
export type BackOfficeCallName = {
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
export const callRoles: Readonly<Record<BackOfficeCallName, readonly StaffRole[]>> = {
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
  'members.level': ['support'],
  'members.credit': ['support'],
  'members.orders': reviewers,
  'members.ledger': reviewers,
  'members.fund': reviewers,
  'members.sessions': memberCare,
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

const callNames = Object.keys(callRoles) as BackOfficeCallName[]

/** The calls that a role may make. */
export const callsOf = (role: StaffRole): BackOfficeCallName[] =>
  callNames.filter((name) => callRoles[name].includes(role))
