import { useEffect } from 'react'
import { useLatest } from '../../src/hooks/useLatest.ts'
import { hrefTo } from '../../src/router/hashLocation.ts'
import { IconButton } from '../../src/ui/IconButton.tsx'
import { toast } from '../../src/ui/toastStore.ts'
import { changeLanguage, currentLanguage, useTexts } from '../i18n.ts'
import { useLogOut } from '../data/useLogOut.ts'
import { useSession } from '../state/staff.ts'
import { useFailureText } from '../ui/FailureLine.tsx'
import styles from './AccountMenu.module.css'

/** Who is logged in, and the office's own settings. */
export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const t = useTexts()
  const { staff } = useSession()
  const { logOut, failure } = useLogOut()
  const failed = useFailureText(failure)
  const shown = useLatest(failed)
  useEffect(() => {
    if (failure !== undefined) toast({ text: shown() ?? '', kind: 'problem' })
  }, [failure, shown])
  return (
    <div className={styles.menu}>
      <a className={styles.who} href={hrefTo('/account')} title={t('account.title')}>
        <span className={styles.name}>{staff.name}</span>
        <span className={styles.role}>{t(`role.${staff.role}`)}</span>
      </a>
      <div className={styles.buttons}>
        <IconButton
          tip
          icon="translate"
          size={18}
          text={currentLanguage() === 'en' ? '中' : 'EN'}
          label={t('account.otherLanguage')}
          onClick={() => void changeLanguage(currentLanguage() === 'en' ? 'zh-CN' : 'en')}
        />
        <button
          type="button"
          className={styles.help}
          aria-label={t('keys.help')}
          title={t('keys.help')}
          onClick={onHelp}
        >
          <kbd aria-hidden="true">?</kbd>
        </button>
        <IconButton tip icon="sign-out" size={18} label={t('account.logOut')} onClick={logOut} />
      </div>
    </div>
  )
}
