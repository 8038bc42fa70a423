import type { WaitingAct } from '../../../contract/office/fourEyes.ts'
import { hrefTo } from '../../../src/router/hashLocation.ts'
import { Icon } from '../../../src/ui/Icon.tsx'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { useMay } from '../../state/staff.ts'
import { actNameOf } from '../../ui/actNames.ts'
import styles from './WaitingActs.module.css'

/** What is proposed about the account and waits for another person, by whom and since when; nothing if nothing is. */
export function WaitingActs({ proposals }: { proposals: readonly WaitingAct[] }) {
  const t = useTexts()
  const format = useOfficeFormat()
  const may = useMay()
  return proposals.map(({ id, act, proposedBy, proposedAt }) => (
    <p key={id} className={styles.line}>
      <Icon name="warning-circle-fill" size={16} />
      {t('proposal.waits', {
        act: actNameOf(t, act),
        name: proposedBy,
        at: format.dateTime(proposedAt),
      })}
      {may(act) && <TextLink href={hrefTo(`/proposals/${id}`)}>{t('proposal.open')}</TextLink>}
    </p>
  ))
}
