import type { Language } from '../../../contract/constants.ts'

/** The text of the venue's own pages, which are shown without the client. */
export type PageText = { title: string; text: string; action: string }
export type PageKind = 'starting' | 'missing'

export const pageTexts: Record<PageKind, Record<Language, PageText>> = {
  starting: {
    'zh-CN': {
      title: '系统正在启动',
      text: '稍后将自动打开此页面。资金和订单不受影响。',
      action: '立即重试',
    },
    'zh-TW': {
      title: '系統正在啟動',
      text: '稍後會自動開啟此頁面。您的資金與委託不受影響。',
      action: '立即重試',
    },
    ja: {
      title: 'システムを起動しています',
      text: '準備ができ次第、このページは自動的に表示されます。資金と注文に影響はありません。',
      action: '今すぐ再試行',
    },
    ko: {
      title: '시스템을 시작하는 중입니다',
      text: '준비되면 이 페이지가 자동으로 열립니다. 자금과 주문에는 영향이 없습니다.',
      action: '지금 다시 시도',
    },
    th: {
      title: 'ระบบกำลังเริ่มทำงาน',
      text: 'หน้านี้จะเปิดเองเมื่อพร้อม เงินและคำสั่งของคุณไม่ได้รับผลกระทบ',
      action: 'ลองใหม่ตอนนี้',
    },
    vi: {
      title: 'Hệ thống đang khởi động',
      text: 'Trang này sẽ tự mở khi sẵn sàng. Tiền và lệnh của bạn không bị ảnh hưởng.',
      action: 'Thử lại ngay',
    },
    id: {
      title: 'Sistem sedang dimulai',
      text: 'Halaman ini terbuka sendiri begitu siap. Dana dan order Anda tidak terpengaruh.',
      action: 'Coba lagi sekarang',
    },
    fr: {
      title: 'La plateforme démarre',
      text: 'Cette page s’ouvrira d’elle-même dans un instant. Vos fonds et vos ordres ne sont pas affectés.',
      action: 'Réessayer maintenant',
    },
    de: {
      title: 'Die Plattform startet gerade',
      text: 'Diese Seite öffnet sich gleich von selbst. Ihr Guthaben und Ihre Orders sind davon nicht betroffen.',
      action: 'Jetzt erneut versuchen',
    },
    en: {
      title: 'Starting up',
      text: 'This page will open automatically in a moment. Your money and orders aren’t affected.',
      action: 'Try again now',
    },
  },
  missing: {
    'zh-CN': { title: '找不到此页面', text: '该地址没有对应的页面。', action: '前往首页' },
    'zh-TW': { title: '找不到此頁面', text: '這個網址沒有對應的頁面。', action: '前往首頁' },
    ja: { title: 'ページが見つかりません', text: 'このアドレスのページはありません。', action: 'ホームへ' },
    ko: { title: '페이지를 찾을 수 없습니다', text: '이 주소에는 페이지가 없습니다.', action: '홈으로' },
    th: { title: 'ไม่พบหน้านี้', text: 'ไม่มีหน้าในที่อยู่นี้', action: 'ไปหน้าแรก' },
    vi: { title: 'Không tìm thấy trang', text: 'Không có trang nào ở địa chỉ này.', action: 'Về trang chủ' },
    id: {
      title: 'Halaman tidak ditemukan',
      text: 'Tidak ada halaman di alamat ini.',
      action: 'Ke halaman utama',
    },
    fr: {
      title: 'Page introuvable',
      text: 'Il n’y a pas de page à cette adresse.',
      action: 'Aller à l’accueil',
    },
    de: {
      title: 'Seite nicht gefunden',
      text: 'Unter dieser Adresse gibt es keine Seite.',
      action: 'Zur Startseite',
    },
    en: { title: 'Page not found', text: 'There is no page at this address.', action: 'Go to the home page' },
  },
}
