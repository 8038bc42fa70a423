import { officeRoutes } from '../../../contract/office/routes.ts'
import { hrefTo, navigate, pathWith } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { cx } from '../../../src/ui/cx.ts'
import { TextLink } from '../../../src/ui/TextLink.tsx'
import { ActionBar } from '../../actions/ActionBar.tsx'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useTexts } from '../../i18n.ts'
import { useCommands } from '../../keys/useCommands.ts'
import { goBack, useSearchedPath } from '../../state/place.ts'
import { useMay } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'
import { NewMessage } from './NewMessage.tsx'
import { useMemberActions } from './useMemberActions.tsx'
import { recordParts } from './recordParts.ts'
import { recordView, type Opens } from './recordView.tsx'
import { WaitingActs } from './WaitingActs.tsx'
import styles from './MemberRecord.module.css'

type RecordProps = {
  id: string
  tab: string | null
  /** The order or request that the address opens. */
  opens: Opens
  /** The action whose dialog the address opens. */
  act: string | null
}

/** One member's whole record, part by part; each view is a row of the act log. */
export function MemberRecord({ id, tab, opens, act }: RecordProps) {
  const t = useTexts()
  const may = useMay()
  const { data, failure } = useOfficeCall(officeRoutes.members.show, { params: { id } })
  const tabs = recordParts
    .map((part, at) => ({ ...part, digit: String(at + 1) }))
    .filter((part) => may(part.call))
  const current = tabs.find(({ name }) => name === tab) ?? tabs[0]
  const open = (name: string): void => navigate(pathWith(`/members/${id}`, { tab: name }), { replace: true })
  const back = (): void => goBack('/members')
  useSearchedPath(`/members/${id}`)
  const actions = useMemberActions(data)
  useCommands([
    ...tabs.map(({ name, label, digit }) => ({
      label,
      keys: digit,
      group: 'list' as const,
      run: () => open(name),
    })),
    // An open request takes the key.
    opens.request === null && { label: 'keys.back', keys: 'Escape', group: 'general', run: back },
  ])
  return (
    <Screen
      onBack={back}
      title={data === undefined ? t('nav.members') : [data.account, data.name].filter(Boolean).join(' · ')}
      note={
        data?.frozen && (
          <Badge kind="danger">
            {t('member.frozenUntil')} <When at={data.frozen.until} />
          </Badge>
        )
      }
      tools={
        <>
          {may('audit.list') && (
            <TextLink href={hrefTo(pathWith('/audit', { member: id, act: 'view' }))}>
              {t('audit.ofMember')}
            </TextLink>
          )}
          <ActionBar actions={actions} group="list" first={act} />
          {may('messages.send') && data !== undefined && (
            <NewMessage member={data} isOpenFirst={act === 'message.write'} />
          )}
        </>
      }
    >
      <FailureLine failure={failure} />
      {data !== undefined && <WaitingActs proposals={data.proposals} />}
      <div className={styles.tabs} role="tablist" aria-label={t('member.parts')}>
        {tabs.map(({ name, label, digit }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === current?.name}
            className={cx(styles.tab, name === current?.name && styles.current)}
            onClick={() => open(name)}
          >
            {t(label)} <kbd aria-hidden="true">{digit}</kbd>
          </button>
        ))}
      </div>
      <Scroll>{data !== undefined && current !== undefined && recordView(current.name, data, opens)}</Scroll>
    </Screen>
  )
}
