import type { ReactNode } from 'react'
import { useTexts } from '../../i18n.ts'
import { Facts, type Fact } from '../../ui/Facts.tsx'
import { decisionFacts } from './decisionFacts.tsx'
import { MemberFacts } from './MemberFacts.tsx'
import { MemberMarks } from './MemberMarks.tsx'
import { proposedFacts } from './proposedFacts.tsx'
import type { FactsRead } from './useMemberFacts.ts'
import type { NewPassword } from './shownRequests.ts'

type PasswordFactsProps = {
  request: NewPassword
  asked: readonly (Fact | false)[]
  check: ReactNode
  read: FactsRead
}

/** What is asked for, what was given for it, what must be checked, and whose password it is. */
export function PasswordFacts({ request: data, asked, check, read }: PasswordFactsProps) {
  const t = useTexts()
  return (
    <>
      <MemberMarks facts={read.facts} />
      <Facts
        items={[...asked, ...decisionFacts(t, data), ...proposedFacts(t, data.proposal ?? data.confirmed)]}
      />
      {check}
      <MemberFacts read={read} requestId={data.id} withPhone />
    </>
  )
}
