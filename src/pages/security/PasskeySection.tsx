import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkeys.ts'
import { addressWithPasskeys, passkeySupport } from '../../features/passkeys/passkeys.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Card, ListRow, Section, TextLink } from '../../ui/index.ts'
import { AddPasskey } from './AddPasskey.tsx'
import { PasskeySheet } from './PasskeySheet.tsx'
import styles from './SecurityPage.module.css'

export type PasskeySectionProps = {
  passkeys: readonly Passkey[]
  hasPasskey: boolean
  onChanged: () => void
}

/** The member's passkeys, and a row to add one. */
export function PasskeySection({ passkeys, hasPasskey, onChanged }: PasskeySectionProps) {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Passkey>()
  const shown = useLastDefined(edited)
  const support = passkeySupport()
  return (
    <Section head="label" title={t('security.passkeys')} help={<Help />}>
      <Card>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onClick={() => setEdited(passkey)} />
        ))}
        <ListRow
          icon="plus"
          label={t('security.addPasskey')}
          disabled={support !== 'usable'}
          onClick={() => setAdding(true)}
        />
      </Card>
      <AddPasskey
        open={isAdding}
        hasPasskey={hasPasskey}
        onClose={() => setAdding(false)}
        onAdded={onChanged}
      />
      {shown && (
        <PasskeySheet
          key={`${shown.id} ${shown.name}`}
          passkey={shown}
          open={edited !== undefined}
          hasPasskey={hasPasskey}
          onClose={() => setEdited(undefined)}
          onChanged={onChanged}
        />
      )}
    </Section>
  )
}

function PasskeyRow({ passkey, onClick }: { passkey: Passkey; onClick: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clock } = useStreams()
  const { name, createdAt, lastUsedAt } = passkey
  const added = t('security.added', { date: format.date(createdAt) })
  const used =
    lastUsedAt === null
      ? t('security.neverUsed')
      : t('security.lastUsed', { time: format.ago(lastUsedAt, clock.now(), t('sessions.justNow')) })
  return <ListRow icon="fingerprint" label={name} caption={`${added} · ${used}`} onClick={onClick} />
}

const whyNot = {
  address: 'error.PASSKEYS_UNAVAILABLE',
  insecure: 'notifications.insecure',
  browser: 'security.unsupported',
} as const

/** What passkeys are, or why there can be none here. */
function Help() {
  const { t } = useTranslation()
  const support = passkeySupport()
  const named = addressWithPasskeys()
  if (support === 'usable') return t('security.passkeysHelp')
  return (
    <>
      <span className={styles.help}>{t('security.passkeysHelp')}</span>
      <span className={styles.help}>{t(whyNot[support])}</span>
      {support === 'address' && named && (
        <span className={styles.help}>
          <TextLink href={named.href}>{t('security.openAt', { address: named.host })}</TextLink>
        </span>
      )}
    </>
  )
}
