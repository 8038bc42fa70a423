import type { ReactNode } from 'react'
import type { StaffRole, StaffStatus } from '../../../contract/office/staff.ts'
import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { useTexts, type TextKey, type Texts } from '../../i18n.ts'
import { ActName } from '../../ui/ActName.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { useActLogWord } from '../../ui/useActLogWord.ts'
import { When } from '../../ui/When.tsx'
import { proposedFacts } from './proposedFacts.tsx'

export type ProposalView = RouteAnswer<(typeof officeRoutes)['proposals']['list']>['items'][number]

/** Where the act log has no word, or speaks of what was done already. */
const labels: Readonly<Record<string, TextKey>> = {
  amount: 'column.amount',
  reason: 'column.reason',
  role: 'staff.role',
  name: 'login.name',
  no: 'column.no',
  twoPersonsAbove: 'limit.twoPersonsAbove',
  twoPersonsAboveInAll: 'limit.twoPersonsAboveInAll',
  status: 'column.status',
  tellMember: 'proposal.tellMember',
}
const amounts: ReadonlySet<string> = new Set(['amount', 'twoPersonsAbove', 'twoPersonsAboveInAll'])
/** What it was before is shown with what it becomes. */
const befores: Readonly<Record<string, string>> = {
  twoPersonsAbove: 'twoPersonsAboveBefore',
  twoPersonsAboveInAll: 'twoPersonsAboveInAllBefore',
  role: 'from',
}
const shownWithAnother: ReadonlySet<string> = new Set(Object.values(befores))
/** Of a request, these are among its own facts. */
const ofRequest: ReadonlySet<string> = new Set(['amount', 'called'])

type ProposalFactsProps = {
  proposal: ProposalView
  /** Whether the request itself is shown too. */
  hasRequest: boolean
}

/** What a proposal would do and until when it can be confirmed; who proposed it unless the request says so. */
export function ProposalFacts({ proposal, hasRequest }: ProposalFactsProps) {
  const t = useTexts()
  const word = useActLogWord()
  const { params } = proposal
  const shown = Object.entries(params).filter(
    ([name]) => !shownWithAnother.has(name) && (!hasRequest || !ofRequest.has(name)),
  )
  const before = (name: string): unknown => params[befores[name] ?? '']
  return (
    <Facts
      items={[
        // With the request it is the title of the page, and what the request says follows.
        ...(hasRequest
          ? []
          : [
              { label: t('proposal.act'), value: <ActName act={proposal.act} /> },
              ...proposedFacts(t, proposal),
            ]),
        { label: t('proposal.until'), value: <When at={proposal.expiresAt} /> },
        ...shown.map(([name, value]) => ({
          label: labels[name] === undefined ? word('details', name) : t(labels[name]),
          value: (
            <>
              {before(name) !== undefined && <>{valueOf(t, word, name, before(name))} → </>}
              {valueOf(t, word, name, value)}
            </>
          ),
        })),
      ]}
    />
  )
}

function valueOf(t: Texts, word: ReturnType<typeof useActLogWord>, name: string, value: unknown): ReactNode {
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (amounts.has(name)) return <Money value={value} />
  if (name === 'reason') return word('reasons', value)
  if (name === 'status') return t(`staff.status.${value as StaffStatus}`)
  return name === 'role' ? t(`role.${value as StaffRole}`) : value
}
