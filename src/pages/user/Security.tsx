import { useTranslation } from 'react-i18next'
import { useSessions } from '../../features/account/useSessions.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Card, ListRow, Section, TextLink, VisuallyHidden } from '../../ui/index.ts'
import { ServiceSentence } from '../../features/content/ServiceSentence.tsx'

/** Both passwords, the second factors, and the devices that are logged in. */
export function Security() {
  const { t } = useTranslation()
  const format = useFormat()
  const config = useVenueConfig()
  const devices = valueOf(useSessions().loadable)
  return (
    <Section
      head="label"
      title={t('settings.security')}
      help={
        config?.passwordSelfService === true ? undefined : (
          <ServiceSentence text={t('settings.passwordNote')} />
        )
      }
    >
      <Card>
        <PasswordRow kind="login" />
        <PasswordRow kind="transaction" />
        <ListRow label={t('title.security')} href={hrefTo(paths.security)} />
        <ListRow
          label={t('settings.devices')}
          value={devices === undefined ? undefined : format.decimal(String(devices.length))}
          href={hrefTo(paths.sessions)}
        />
      </Card>
    </Section>
  )
}

const names = {
  login: { row: 'settings.loginPassword', modify: 'settings.modifyLogin' },
  transaction: { row: 'settings.transactionPassword', modify: 'settings.modifyTransaction' },
} as const

function PasswordRow({ kind }: { kind: 'login' | 'transaction' }) {
  const { t } = useTranslation()
  return (
    <ListRow
      label={t(names[kind].row)}
      end={
        <TextLink size={15} href={hrefTo(paths.password, { kind })}>
          <span aria-hidden="true">{t('settings.modify')}</span>
          <VisuallyHidden>{t(names[kind].modify)}</VisuallyHidden>
        </TextLink>
      }
    />
  )
}
