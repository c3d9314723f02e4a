import type { Texts } from './english.ts';

/** The French texts, with a no-break space before two-part punctuation. */
export const FRENCH: Texts = {
  title: 'Paiement de test',
  testMode: 'Mode test\u00A0:',
  noMoneyMoves: 'aucun paiement réel.',
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
  refund: 'Remboursement',
  refundedAt: 'Remboursé le',
  openUntil: 'À payer avant le',
  expiredAt: 'Expiré le',
  reason: 'Motif',
  testCard: 'Carte de test',
  cards: { pay: 'Le paiement est accepté', decline: 'La carte est refusée' },
  paying: 'Paiement en cours…',
  cardDeclined: 'Votre carte a été refusée et rien n’a été débité. Réessayez, ou utilisez une autre carte.',
  late: {
    heading: 'Hors délai',
    text: 'Votre paiement est arrivé après la date limite. Demandez au vendeur s’il accepte encore votre commande.',
  },
  refunded: { heading: 'Remboursé', text: 'Votre paiement vous a été intégralement remboursé.' },
  partlyRefunded: {
    heading: 'Remboursé en partie',
    text: 'Une partie de votre paiement vous a été remboursée.',
  },
  controls: {
    heading: 'Scénarios de test',
    beforePayment: 'Simulez une autre issue.',
    afterPayment: 'Simulez ce qui peut suivre un paiement.',
    hidden: 'Vos acheteurs ne voient jamais ce panneau.',
  },
  backTo: 'Retour chez',
  startAgainAt: 'Pour commander, retournez chez',
  canClose: 'Vous pouvez fermer cette page.',
  toCheckout: 'Retour au paiement',
  statuses: {
    payment_failed: {
      heading: 'Paiement refusé',
      text: 'Votre paiement a été refusé et rien n’a été débité. Vous pouvez réessayer.',
    },
    abandoned: { heading: 'Expiré', text: 'Cette page de paiement a expiré.' },
    completed: { heading: 'Payé', text: 'Merci. Votre paiement a bien été effectué.' },
  },
  buttons: {
    pay: 'Payer',
    expire: 'Faire expirer',
    pay_late: 'Payer en retard',
    pay_twice: 'Payer deux fois',
    out_of_order: 'Événements dans le désordre',
    wrong_amount: 'Montant erroné',
    refund: 'Rembourser',
  },
  effects: {
    expire:
      'Le panier expire tout de suite et passe au statut abandonné. Un paiement reçu ensuite est hors délai.',
    pay_late:
      'Le paiement réussit une minute après la date limite. Il est hors délai, sauf si un autre paiement a échoué avant.',
    pay_twice: 'Deux paiements réussissent. Le premier suffit à payer le panier.',
    out_of_order: 'Un succès arrive, puis un échec survenu une seconde plus tôt. Le panier reste payé.',
    wrong_amount: 'Le montant est légèrement trop élevé et le paiement est rejeté. Le panier reste tel quel.',
    refund:
      'Un paiement est remboursé intégralement, en priorité un paiement en double. Le panier reste payé.',
  },
  notices: {
    wrong_amount: 'Le paiement a été rejeté, car son montant diffère du total.',
    too_many_payments: 'Le paiement a été rejeté, car cette commande a reçu trop de paiements.',
    has_payment: 'Cette page de paiement n’a pas expiré, car un paiement a déjà été tenté.',
    nothing_to_refund:
      'Rien n’a été remboursé. Il ne reste aucun paiement à rembourser, ou cette commande a reçu trop de remboursements.',
    left: 'Vous n’avez rien payé. Vous pouvez fermer cette page.',
  },
  errors: {
    cartNotFound: {
      heading: 'Paiement introuvable',
      text: 'Vérifiez l’adresse, ou recommencez depuis le site du vendeur.',
    },
    invalidPayload: {
      heading: 'Veuillez choisir à nouveau',
      text: 'Votre choix n’a pas été compris et rien n’a changé. Ouvrez la page de paiement et faites-y votre choix.',
    },
    forbidden: {
      heading: 'Demande bloquée',
      text: 'Le formulaire venait d’un autre site et rien n’a changé. Ouvrez la page de paiement et faites-y votre choix.',
    },
    rateLimited: {
      heading: 'Trop de tentatives',
      text: 'Il y a eu trop de tentatives en une minute. La dernière n’a rien changé. Patientez un instant, puis réessayez.',
    },
    serviceUnavailable: {
      heading: 'Veuillez réessayer',
      text: 'Cette page est momentanément indisponible. Veuillez réessayer dans un instant.',
    },
    internal: {
      heading: 'Une erreur est survenue',
      text: 'Veuillez réessayer plus tard. La page de paiement indique si vous avez payé.',
    },
  },
  developers: {
    heading: 'Pour les développeurs',
    cartNotFound: {
      address:
        'Il n’y a aucun panier de test à cette adresse\u00A0: il faut la redirectUrl entière du panier.',
      place:
        'Cette page affiche les paniers de test d’un seul environnement. Les paniers réels et ceux des autres environnements ont d’autres adresses.',
      deleted: 'Un panier de test impayé est supprimé 30 jours après son expiration. Créez-en un nouveau.',
    },
    invalidPayload: { action: 'Le formulaire doit contenir exactement une action connue.' },
  },
};
