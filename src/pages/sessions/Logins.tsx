import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginRoutes, type LoginEvent } from '../../../contract/logins.ts'
import { failureText } from '../../api/failureText.ts'
import { useRestNotice } from '../../features/account/useRestNotice.ts'
import { LoadMore } from '../../features/lists/LoadMore.tsx'
import { useAction } from '../../hooks/useAction.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'
import { Badge, Card, ConfirmDialog, Icon, TextLink, toast } from '../../ui/index.ts'
import styles from './Sessions.module.css'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

const loginSource: ListSource<LoginEvent> = {
  load: (call, after, signal) => call(loginRoutes.logins, { query: { limit: '20', ...after } }, { signal }),
  compare: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  isNewer: () => true,
}

/** The latest logins. A login by another person can be denied, which logs all devices out. */
export function Logins() {
  const { t } = useTranslation()
  const list = useList(loginSource)
  const [denied, setDenied] = useState<LoginEvent>()
  return (
    <Loaded
      of={itemsOf(list)}
      failed={t('sessions.loginsFailed')}
      retry={list.retry}
      card
      skeleton={null}
      empty={null}
    >
      {(logins) => (
        <>
          <h2 className={styles.lead}>{t('sessions.logins')}</h2>
          <Card>
            <ul>
              {logins.map((login) => (
                <LoginRow key={login.id} login={login} onDeny={() => setDenied(login)} />
              ))}
            </ul>
            {typeof list.cursor === 'string' && (
              <LoadMore onMore={list.more} busy={list.loading} failed={list.failure !== undefined} />
            )}
          </Card>
          <DenyDialog login={denied} onClose={() => setDenied(undefined)} />
        </>
      )}
    </Loaded>
  )
}

function LoginRow({ login, onDeny }: { login: LoginEvent; onDeny: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const isFailed = login.result === 'failed'
  return (
    <li className={styles.row}>
      <Icon name={isFailed ? 'warning-circle-fill' : 'device-mobile'} size={22} className={styles.icon} />
      <span className={styles.text}>
        <span className={styles.device}>{login.device === '' ? t('sessions.unknown') : login.device}</span>
        <span className={styles.caption}>
          {format.dateTimeShort(login.at)} · {t(`sessions.network.${login.network}`)}
        </span>
        <span className={styles.caption}>
          {isFailed ? t('sessions.wrongPassword') : t(`sessions.method.${login.method}`)}
        </span>
      </span>
      {login.deniedAt !== null ? (
        <Badge>{t('sessions.reported')}</Badge>
      ) : isFailed ? null : (
        <TextLink size={15} onClick={onDeny}>
          {t('sessions.deny')}
        </TextLink>
      )}
    </li>
  )
}

function DenyDialog({ login, onClose }: { login: LoginEvent | undefined; onClose: () => void }) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const withRest = useRestNotice()
  const [deny, busy] = useAction(async () => {
    if (login === undefined) return
    const result = await call(loginRoutes.denyLogin, { params: { id: login.id } })
    onClose()
    if (result.ok) toast({ text: t('sessions.denied'), kind: 'success' })
    else toast({ text: failureText(t, format, result.failure), kind: 'problem' })
  })
  return (
    <ConfirmDialog
      open={login !== undefined}
      title={t('sessions.denyTitle')}
      confirmLabel={t('sessions.denyConfirm')}
      cancelLabel={t('common.cancel')}
      closeLabel={t('common.close')}
      busy={busy}
      onConfirm={deny}
      onCancel={onClose}
    >
      {withRest(t('sessions.denyText'))}
    </ConfirmDialog>
  )
}
