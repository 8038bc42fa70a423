import { hrefTo } from '../../src/router/hashLocation.ts'
import { IconButton } from '../../src/ui/IconButton.tsx'
import { call } from '../api.ts'
import { changeLanguage, currentLanguage, useTexts } from '../i18n.ts'
import { setSession, useSession } from '../state/staff.ts'
import { queryClient } from '../data/queryClient.ts'
import { staffSessionRoutes } from '../../contract/backOffice/staff.ts'
import styles from './AccountMenu.module.css'

/** Who is logged in, and the office's own settings. */
export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const t = useTexts()
  const { staff } = useSession()
  return (
    <div className={styles.menu}>
      <a className={styles.who} href={hrefTo('/account')} title={t('account.title')}>
        <span className={styles.name}>{staff.name}</span>
        <span className={styles.role}>{t(`role.${staff.role}`)}</span>
      </a>
      <div className={styles.buttons}>
        <IconButton
          icon="translate"
          size={18}
          label={t('account.otherLanguage')}
          onClick={() => void changeLanguage(currentLanguage() === 'en' ? 'zh-CN' : 'en')}
        />
        <IconButton icon="info" size={18} label={t('keys.help')} onClick={onHelp} />
        <IconButton icon="sign-out" size={18} label={t('account.logOut')} onClick={() => void logOut()} />
      </div>
    </div>
  )
}

/** The venue ends the session; what was shown is forgotten here too. */
export async function logOut(): Promise<void> {
  await call(staffSessionRoutes.logOut, {})
  setSession(null)
  queryClient.clear()
}
