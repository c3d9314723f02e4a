import type { Texts } from './english.ts';

/** The French texts, with a no-break space before two-part punctuation. */
export const FRENCH: Texts = {
  title: 'Paiement de test',
  testMode: 'Mode test\u00A0:',
  noMoneyMoves: 'aucun argent ne circule.',
  soldBy: 'Vendu par',
  total: 'Total',
  name: 'Nom',
  email: 'E-mail',
  phone: 'Téléphone',
  reference: 'Référence',
  stage: 'Environnement',
  mode: 'Mode',
  testCartsOnly: 'paniers de test uniquement',
  payment: 'Paiement',
  receipt: 'Reçu',
  paymentId: 'Référence du paiement',
  paidAt: 'Payé le',
  refunded: 'Remboursé',
  openUntil: 'Ouvert jusqu’au',
  expiredAt: 'Expiré le',
  late: {
    heading: 'En retard',
    text: 'Il est arrivé après l’expiration de cette page. Demandez au vendeur s’il accepte encore votre commande.',
  },
  controls: {
    heading: 'Commandes de test',
    text: 'Choisissez ici une autre issue. Seul le mode test a ces commandes\u00A0: vos acheteurs ne les voient jamais.',
  },
  backTo: 'Retour chez',
  startAgainAt: 'Recommencez chez',
  canClose: 'Vous pouvez fermer cette page.',
  toCheckout: 'Retour au paiement',
  statuses: {
    waiting_payment: {
      heading: 'En attente de paiement',
      text: 'Vérifiez les détails, puis payez.',
    },
    payment_failed: {
      heading: 'Paiement refusé',
      text: 'Votre paiement a été refusé et vous n’avez pas été débité. Vous pouvez réessayer.',
    },
    abandoned: { heading: 'Expiré', text: 'Cette page de paiement a expiré.' },
    completed: { heading: 'Payé', text: 'Merci. Votre paiement a réussi.' },
  },
  buttons: {
    pay: 'Payer',
    leave: 'Partir sans payer',
    decline: 'Refuser',
    expire: 'Faire expirer',
    pay_late: 'Payer en retard',
    pay_twice: 'Payer deux fois',
    out_of_order: 'Événements en désordre',
    wrong_amount: 'Montant erroné',
    refund: 'Rembourser',
  },
  effects: {
    decline: 'Le paiement échoue maintenant. L’acheteur peut réessayer.',
    expire: 'Le panier expire maintenant et est abandonné. Un paiement ultérieur est en retard.',
    pay_late:
      'Le paiement réussit une minute après l’expiration. Le panier est marqué en retard, sauf si un paiement a échoué avant.',
    pay_twice: 'Deux paiements réussissent. Le premier règle le panier.',
    out_of_order: 'Une réussite arrive, puis un échec survenu une seconde plus tôt. Le panier reste réglé.',
    wrong_amount:
      'Le montant est trop élevé de la plus petite unité de la devise. Le paiement est rejeté et le panier reste tel quel.',
    refund: 'Un paiement est remboursé en entier, d’abord un paiement en double. Le panier reste réglé.',
  },
  notices: {
    wrong_amount: 'Le paiement a été rejeté, car son montant diffère du total.',
    too_many_payments: 'Le paiement a été rejeté, car cette commande a reçu trop de paiements.',
    has_payment: 'Cette page de paiement n’a pas expiré, car elle a déjà un paiement.',
    nothing_to_refund:
      'Rien n’a été remboursé. Il ne reste aucun paiement à rembourser, ou cette commande a reçu trop de remboursements.',
    left: 'Vous êtes parti sans payer et vous n’avez pas été débité. Vous pouvez fermer cette page.',
  },
  errors: {
    cartNotFound: {
      heading: 'Paiement introuvable',
      text: 'Vérifiez l’adresse, ou recommencez chez le vendeur.',
    },
    invalidPayload: {
      heading: 'Veuillez choisir à nouveau',
      text: 'Votre choix n’a pas été compris et rien n’a changé. Ouvrez la page de paiement et faites-y votre choix.',
    },
    forbidden: {
      heading: 'Demande rejetée',
      text: 'Un autre site a fait ce choix et rien n’a changé. Ouvrez la page de paiement et faites-y votre choix.',
    },
    rateLimited: {
      heading: 'Trop de choix',
      text: 'Cette page a reçu trop de choix en une minute. Celui-ci n’a rien changé. Patientez un instant, puis choisissez à nouveau.',
    },
    serviceUnavailable: {
      heading: 'Veuillez réessayer',
      text: 'Cette page est momentanément indisponible. Veuillez réessayer dans un instant.',
    },
    internal: {
      heading: 'Une erreur est survenue',
      text: 'Veuillez réessayer plus tard. La page de paiement montre si vous avez payé.',
    },
  },
  developers: {
    heading: 'Pour les développeurs',
    cartNotFound: {
      address:
        'Il n’y a aucun panier de test à cette adresse\u00A0: il faut la redirectUrl entière du panier.',
      place:
        'Cette page montre les paniers de test d’un seul environnement. Les paniers réels et ceux des autres environnements ont d’autres adresses.',
      deleted: 'Un panier de test impayé est supprimé 30 jours après son expiration. Créez-en un nouveau.',
    },
    invalidPayload: { action: 'Le formulaire doit contenir exactement une action connue.' },
  },
};
