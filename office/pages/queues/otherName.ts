import type { MemberFacts } from '../../../contract/office/memberFacts.ts'

/** Another member by account, and by the verified name, if there is one. */
export const otherName = ({ account, name }: MemberFacts['sameCard'][number]): string =>
  name === null ? account : `${account} · ${name}`
