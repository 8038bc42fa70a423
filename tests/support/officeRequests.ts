import type { Declined, Proposal } from '../../contract/office/fourEyes.ts'
import type { QueueItem } from '../../contract/office/queues.ts'
import type { officeRoutes } from '../../contract/office/routes.ts'
import type { RouteReply } from '../../contract/route.ts'
import { minutesAgo, now } from './officeSetup.tsx'

/* Requests as the venue shows them to the office: of one member, of one kind each, and nothing wrong with them. */

export type Shown<N extends 'deposits' | 'withdrawals' | 'verifications' | 'password-requests'> = RouteReply<
  (typeof officeRoutes)[N]['show']
>

const decision = { memberId: 'm1', decidedAt: null, decidedBy: null, reason: null, version: 1 }
export const proposal: Proposal & { declined: Declined[] } = {
  id: 'p1',
  act: 'deposits.approve',
  subject: { kind: 'deposit', id: 'd1' },
  memberId: 'm1',
  params: {},
  note: null,
  proposedBy: 'wang',
  proposedAt: minutesAgo(30),
  expiresAt: now + 86_400_000,
  status: 'open',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  declined: [],
}
/** Somebody who has decided nothing in 24 hours. */
export const alone: Shown<'deposits'>['alone'] = {
  ofMember: '0.00',
  inAll: '0.00',
  waiting: { count: 0, amount: '0.00' },
  above: '500000.00',
  aboveInAll: '900000.00',
  state: 'below',
  nearer: 'ofMember',
}
export const deposit: Shown<'deposits'> = {
  ...decision,
  id: 'd1',
  no: 'D-261124-7K2Q',
  amount: '1200.00',
  methodId: 'bank-cny',
  status: 'under_review',
  awaitsSecondPerson: false,
  createdAt: minutesAgo(40),
  proofUploadId: 'u1',
  confirmedAt: null,
  confirmedBy: null,
  reversed: null,
  inDay: { count: 1, amount: '1200.00' },
  alone,
  sameProof: [],
  proposal: null,
  takesTwo: false,
  declined: [],
  confirmed: null,
}
export const withdrawal: Shown<'withdrawals'> = {
  ...decision,
  id: 'w1',
  no: 'W-261124-3F9A',
  amount: '800.00',
  account: { id: 'wa1', type: 'bank' },
  status: 'under_review',
  reference: null,
  timeline: [{ at: minutesAgo(60), step: 'requested' }],
  createdAt: minutesAgo(60),
  approvedAt: null,
  approvedBy: null,
  payTo: {
    type: 'bank',
    accountName: '张伟',
    nationality: 'CN',
    bank: 'Bank of China',
    cardNumber: '6217 8888 0000 1234',
    accountAddress: 'Nanjing Road 1, Shanghai',
  },
  verifiedName: '张伟',
  nameMatches: true,
  freshChanges: [],
  inDay: { count: 1, amount: '800.00' },
  alone,
  proposal: null,
  takesTwo: false,
  declined: [],
  confirmed: null,
}
export const approvedWithdrawal = { ...withdrawal, approvedAt: minutesAgo(10), approvedBy: 'wang' }
export const verification: Shown<'verifications'> = {
  ...decision,
  id: 'v1',
  status: 'under_review',
  nationality: 'CN',
  frontUploadId: 'u2',
  backUploadId: 'u3',
  photosRemovedAt: null,
  submittedAt: minutesAgo(90),
  name: '张伟',
  idNumber: '310101199001010011',
  before: null,
  sameNumber: [],
}
export const passwordRequest: Shown<'password-requests'> = {
  ...decision,
  id: 'r1',
  kind: 'transaction',
  recovery: false,
  provenBy: 'password',
  status: 'under_review',
  createdAt: minutesAgo(20),
  proposal: null,
  takesTwo: false,
  declined: [],
  confirmed: null,
}
export const listed = (id: string): QueueItem => ({
  id,
  no: null,
  memberId: 'm1',
  account: 'zhang.wei',
  language: 'en' as const,
  amount: null,
  method: null,
  hasPicture: null,
  country: null,
  unread: null,
  preview: null,
  act: null,
  params: null,
  approvedBy: null,
  dangers: [],
  secondDeclined: null,
  proposedBy: null,
  proposedAt: null,
  createdAt: minutesAgo(60),
  claim: null,
})
