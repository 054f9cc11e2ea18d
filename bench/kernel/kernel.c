/* The base game of Saint Petersburg, first and second edition, 2-4 players, played at random.

   kernel bench EDITION PLAYERS SECONDS   plays games for about SECONDS and prints their rate
   kernel play                            plays the games given on stdin and prints every action

   Written from the rules alone; the numbers in the comments are those of the rules.
   cc -std=c11 -O3 kernel.c -o kernel     (-DCHECK tests the invariants after every action,
                                           -DLIST writes out every legal action before one is chosen) */

#ifdef CHECK
#include <assert.h>
#endif
#include <inttypes.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKER, BUILDING, NOBLE, EXCHANGE, PILES };  /* piles, phases and tokens alike */
enum { GREEN, BLUE, RED, COLOURS };                 /* scored in the phase of the same number */
enum { AXE = 1, GOLD = 2, CARPET = 4, FUR = 8, SHIP = 16, ALL_CRAFTS = 31 };

enum kind {
    LUMBERJACK, GOLD_MINER, SHEPHERD, FUR_TRAPPER, SHIP_BUILDER, CZAR_AND_CARPENTER,
    MARKET, CUSTOMS_HOUSE, FIREHOUSE, HOSPITAL, LIBRARY, THEATER, ACADEMY, POTEMKIN_VILLAGE, PUB, WAREHOUSE,
    OBSERVATORY,
    AUTHOR, ADMINISTRATOR, WAREHOUSE_MANAGER, SECRETARY, CONTROLLER, JUDGE, MISTRESS_OF_CEREMONIES,
    CARPENTER_WORKSHOP, GOLD_SMELTER, WEAVING_MILL, FUR_SHOP, WHARF,
    MARIINSKY_THEATER, BANK, PETERHOF, ST_ISAACS_CATHEDRAL, CHURCH_OF_THE_RESURRECTION, HARBOR, CATHERINE_PALACE,
    SMOLNY_CATHEDRAL, HERMITAGE, WINTER_PALACE,
    ABBOT, CHAMBER_MAID, WEAPON_MASTER, BUILDER, SENATOR, PATRIARCH, TAX_MAN, ADMIRAL, FOREIGN_MINISTER, CZARINA,
    KINDS,
    PLAIN_KINDS = CARPENTER_WORKSHOP,
    NOTHING = PLAIN_KINDS  /* what a plain card "replaces": it lies in every area and is worth 0 */
};

enum {
    MAX_PLAYERS = 4, MAX_PILE = 31, DECK = 116, DISPLAY = 8,
    HAND_LIMIT = 3, MAX_HAND = 4, START_RUBLES = 25, MAX_COST = 24
};

typedef struct {
    const char *id;
    uint8_t pile, colour, copies;
    int8_t cost[2];  /* by edition */
    int8_t rubles, points;
    uint8_t craft;
} Card;

static const Card CARD[KINDS] = {
    {"lumberjack", WORKER, GREEN, 6, {3, 3}, 3, 0, AXE},
    {"gold_miner", WORKER, GREEN, 6, {4, 4}, 3, 0, GOLD},
    {"shepherd", WORKER, GREEN, 6, {5, 5}, 3, 0, CARPET},
    {"fur_trapper", WORKER, GREEN, 6, {6, 6}, 3, 0, FUR},
    {"ship_builder", WORKER, GREEN, 6, {7, 7}, 3, 0, SHIP},
    {"czar_and_carpenter", WORKER, GREEN, 1, {8, 8}, 3, 0, ALL_CRAFTS},
    {"market", BUILDING, BLUE, 5, {5, 5}, 0, 1, 0},
    {"customs_house", BUILDING, BLUE, 5, {8, 8}, 0, 2, 0},
    {"firehouse", BUILDING, BLUE, 3, {11, 11}, 0, 3, 0},
    {"hospital", BUILDING, BLUE, 3, {14, 14}, 0, 4, 0},
    {"library", BUILDING, BLUE, 3, {17, 17}, 0, 5, 0},
    {"theater", BUILDING, BLUE, 2, {20, 20}, 0, 6, 0},
    {"academy", BUILDING, BLUE, 1, {23, 23}, 0, 7, 0},
    {"potemkin_village", BUILDING, BLUE, 1, {2, 2}, 0, 0, 0},
    {"pub", BUILDING, BLUE, 2, {1, 1}, 0, 0, 0},
    {"warehouse", BUILDING, BLUE, 1, {2, 2}, 0, 0, 0},
    {"observatory", BUILDING, BLUE, 2, {6, 7}, 0, 1, 0},
    {"author", NOBLE, RED, 6, {4, 4}, 1, 0, 0},
    {"administrator", NOBLE, RED, 5, {7, 7}, 2, 0, 0},
    {"warehouse_manager", NOBLE, RED, 5, {10, 10}, 3, 0, 0},
    {"secretary", NOBLE, RED, 4, {12, 12}, 4, 0, 0},
    {"controller", NOBLE, RED, 3, {14, 14}, 4, 1, 0},
    {"judge", NOBLE, RED, 2, {16, 17}, 5, 2, 0},
    {"mistress_of_ceremonies", NOBLE, RED, 2, {18, 20}, 6, 3, 0},
    {"carpenter_workshop", EXCHANGE, GREEN, 1, {4, 4}, 3, 0, AXE},
    {"gold_smelter", EXCHANGE, GREEN, 1, {6, 6}, 3, 0, GOLD},
    {"weaving_mill", EXCHANGE, GREEN, 2, {8, 8}, 6, 0, CARPET},
    {"fur_shop", EXCHANGE, GREEN, 3, {10, 10}, 3, 2, FUR},
    {"wharf", EXCHANGE, GREEN, 3, {12, 12}, 6, 1, SHIP},
    {"mariinsky_theater", EXCHANGE, BLUE, 1, {10, 15}, 0, 0, 0},
    {"bank", EXCHANGE, BLUE, 1, {13, 13}, 5, 1, 0},
    {"peterhof", EXCHANGE, BLUE, 1, {14, 14}, 4, 2, 0},
    {"st_isaacs_cathedral", EXCHANGE, BLUE, 1, {15, 15}, 3, 3, 0},
    {"church_of_the_resurrection", EXCHANGE, BLUE, 1, {16, 16}, 2, 4, 0},
    {"harbor", EXCHANGE, BLUE, 1, {16, 16}, 5, 2, 0},
    {"catherine_palace", EXCHANGE, BLUE, 1, {17, 17}, 1, 5, 0},
    {"smolny_cathedral", EXCHANGE, BLUE, 1, {17, 17}, 4, 3, 0},
    {"hermitage", EXCHANGE, BLUE, 1, {18, 18}, 3, 4, 0},
    {"winter_palace", EXCHANGE, BLUE, 1, {19, 19}, 2, 5, 0},
    {"abbot", EXCHANGE, RED, 1, {6, 6}, 1, 1, 0},
    {"chamber_maid", EXCHANGE, RED, 1, {8, 8}, 0, 2, 0},
    {"weapon_master", EXCHANGE, RED, 1, {8, 8}, 4, 0, 0},
    {"builder", EXCHANGE, RED, 1, {10, 10}, 5, 0, 0},
    {"senator", EXCHANGE, RED, 1, {12, 12}, 2, 2, 0},
    {"patriarch", EXCHANGE, RED, 1, {16, 16}, 0, 4, 0},
    {"tax_man", EXCHANGE, RED, 1, {17, 17}, 0, 0, 0},
    {"admiral", EXCHANGE, RED, 1, {18, 18}, 3, 3, 0},
    {"foreign_minister", EXCHANGE, RED, 1, {20, 20}, 2, 4, 0},
    {"czarina", EXCHANGE, RED, 1, {24, 24}, 0, 6, 0},
};

static const char *const PILE_NAME[PILES] = {"worker", "building", "noble", "exchange"};
static const uint8_t PILE_SIZE[PILES] = {31, 28, 27, 30};

/* Up to eight cards in a row, one byte each, the leftmost in the lowest byte, which has to come first in memory. */
typedef uint64_t Cards;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little-endian machines only");

enum { KIND = 63, SECRET = 64 };  /* SECRET: a card on the hand that nobody else has seen */

static inline unsigned card_at(Cards cards, int slot) { return cards >> 8 * slot & 255; }

static inline Cards without(Cards cards, int slot)
{
    Cards left_of = ((Cards)1 << 8 * slot) - 1;
    return (cards & left_of) | (cards >> 8 & ~left_of);
}

typedef struct {
    int16_t rubles, points;
    int16_t income_rubles[COLOURS], income_points[COLOURS];  /* of the fixed incomes in the area */
    uint8_t cards[COLOURS];
    uint8_t face_down;     /* observatories */
    uint32_t replaceable;  /* a bit for each plain kind that lies face up in the area, and NOTHING */
    uint8_t hand_size;
    Cards hand;
    uint8_t area[KINDS];
    int8_t price[KINDS];   /* owner price in row 1, before a replaced card and the minimum of 1 ruble */
} Player;

typedef struct {
    int8_t worth[PLAIN_KINDS + 1];          /* of a card that is replaced */
    uint32_t worth_at_least[MAX_COST + 1];  /* bits of the kinds worth so much */
    Player start;
} Figures;  /* of one edition */

typedef struct { uint32_t s[4]; } Generator;

typedef struct {
    int track, nobles, rubles, hand, total, rubles_left, tie, place;
} Result;

typedef struct {
    const Figures *figures;
    bool second_edition, last_round;
    FILE *log;
    int players, round, actions;
    Player player[MAX_PLAYERS];
    Cards display;  /* row 1, then row 2 */
    uint8_t displayed, row_1;
    uint8_t token[PILES];
    uint8_t left[PILES];
    uint8_t pile[PILES][MAX_PILE];  /* the top card is pile[left - 1] */
    uint8_t discard[DECK], discarded;
    Generator generator;
    Result result[MAX_PLAYERS];
} Game;

enum { BUY, TAKE, PLAY, OBSERVE, DISCARD, PASS };
enum { ROW_1, ROW_2, HAND, DRAWN };

typedef struct {
    uint8_t verb, source, slot;
    uint8_t card;  /* OBSERVE: the pile */
    uint8_t onto;
} Action;

/* What can be done with the cards of row 1, row 2 and the hand, in this order: each can be laid onto the kinds
   of its bits, in this order, and a card of the display can be taken if there is room. */
typedef struct {
    int actions;
    uint8_t card[2 * sizeof(Cards)];
    uint32_t onto[DISPLAY + MAX_HAND];
    int actions_to[DISPLAY + MAX_HAND];  /* with the cards up to and including this one */
} Options;

static Figures figures[2];
static uint32_t replaces[KINDS];
static uint8_t bit_count[1 << (NOTHING + 1 - 12)];

/* A table, for not every processor has an instruction for it. */
static inline int count_bits(uint32_t kinds) { return bit_count[kinds & 4095] + bit_count[kinds >> 12]; }

static inline uint32_t rotl(uint32_t x, int k) { return x << k | x >> (32 - k); }

/* xoshiro128** */
static inline uint32_t next(Generator *r)
{
    uint32_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11);
    return result;
}

static inline uint32_t below(Generator *r, uint32_t n)
{
    uint64_t m = (uint64_t)next(r) * n;
    if ((uint32_t)m < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)m < threshold)
            m = (uint64_t)next(r) * n;
    }
    return m >> 32;
}

static void prepare_tables(void)
{
    for (int i = 1; i < (int)sizeof bit_count; i++)
        bit_count[i] = bit_count[i >> 1] + (i & 1);
    for (int k = 0; k < KINDS; k++) {
        replaces[k] = k < PLAIN_KINDS ? 1u << NOTHING : 0;
        for (int old = 0; k >= PLAIN_KINDS && old < PLAIN_KINDS; old++)
            if (CARD[old].colour == CARD[k].colour
                && (CARD[k].colour != GREEN || (CARD[old].craft & CARD[k].craft)))
                replaces[k] |= 1u << old;
    }
    for (int e = 0; e < 2; e++) {
        Figures *f = &figures[e];
        for (int k = 0; k < PLAIN_KINDS; k++)
            f->worth[k] = k == POTEMKIN_VILLAGE ? 6 : CARD[k].cost[e];
        for (int k = 0; k <= NOTHING; k++)
            for (int value = 0; value <= f->worth[k]; value++)
                f->worth_at_least[value] |= 1u << k;
        f->start = (Player){.rubles = START_RUBLES, .replaceable = 1u << NOTHING};
        for (int k = 0; k < KINDS; k++)
            f->start.price[k] = CARD[k].cost[e];
    }
}

/* The piles, tokens and the generator have been set up already. */
static void set_up(Game *g, int edition, int players)
{
    g->figures = &figures[edition - 1];
    g->second_edition = edition == 2;
    g->last_round = false;
    g->players = players;
    g->round = 1;
    g->actions = 0;
    for (int i = 0; i < players; i++)
        g->player[i] = g->figures->start;
    g->display = 0;
    g->displayed = g->row_1 = 0;
    memcpy(g->left, PILE_SIZE, sizeof g->left);
    g->discarded = 0;
}

static inline int next_seat(const Game *g, int seat) { return seat + 1 == g->players ? 0 : seat + 1; }

static inline void discard(Game *g, int card) { g->discard[g->discarded++] = card; }

static inline int draw(Game *g, int pile) { return g->pile[pile][--g->left[pile]]; }

#ifdef CHECK
static void check(const Game *g)
{
    int seen[KINDS] = {0}, e = g->second_edition;
    for (int pile = 0; pile < PILES; pile++)
        for (int i = 0; i < g->left[pile]; i++)
            seen[g->pile[pile][i]]++;
    for (int i = 0; i < DISPLAY; i++)
        if (i < g->displayed)
            seen[card_at(g->display, i)]++;
        else
            assert(card_at(g->display, i) == 0);
    assert(g->row_1 <= g->displayed && g->displayed <= DISPLAY);
    for (int i = 0; i < g->discarded; i++)
        seen[g->discard[i]]++;
    for (const Player *p = g->player; p < g->player + g->players; p++) {
        int cards[COLOURS] = {0}, rubles[COLOURS] = {0}, points[COLOURS] = {0};
        assert(p->rubles >= 0 && p->hand_size <= MAX_HAND && p->face_down <= p->area[OBSERVATORY]);
        for (int i = 0; i < p->hand_size; i++)
            seen[card_at(p->hand, i) & KIND]++;
        assert(p->hand >> 8 * p->hand_size == 0);
        for (int k = 0; k < KINDS; k++) {
            const Card *c = &CARD[k];
            seen[k] += p->area[k];
            cards[c->colour] += p->area[k];
            rubles[c->colour] += p->area[k] * c->rubles;
            points[c->colour] += p->area[k] * c->points;
            int reduction = p->area[k] + (c->colour == BLUE && p->area[CARPENTER_WORKSHOP])
                          + (c->colour == RED && p->area[GOLD_SMELTER]);
            assert(p->price[k] == c->cost[e] - reduction);
            if (k < PLAIN_KINDS)
                assert((p->replaceable >> k & 1) == (p->area[k] > (k == OBSERVATORY ? p->face_down : 0)));
        }
        assert(p->replaceable >> NOTHING == 1);
        for (int c = 0; c < COLOURS; c++)
            assert(cards[c] == p->cards[c] && rubles[c] == p->income_rubles[c] && points[c] == p->income_points[c]);
    }
    for (int k = 0; k < KINDS; k++)
        assert(seen[k] == CARD[k].copies);
}
#else
static inline void check(const Game *g) { (void)g; }
#endif

/* ---- the area ---- */

static void reduce_prices(Player *p, int colour)
{
    for (int k = 0; k < KINDS; k++)
        p->price[k] -= CARD[k].colour == colour;
}

static inline void count_card(Player *p, int card, int sign)
{
    const Card *c = &CARD[card];
    p->area[card] += sign;
    p->price[card] -= sign;
    p->cards[c->colour] += sign;
    p->income_rubles[c->colour] += sign * c->rubles;
    p->income_points[c->colour] += sign * c->points;
}

static inline int owner_price(const Game *g, const Player *p, Action a)
{
    int price = p->price[a.card] - g->figures->worth[a.onto] - (a.source == ROW_2);
    return price < 1 ? 1 : price;
}

static inline void lay(Game *g, Player *p, Action a)
{
    p->rubles -= owner_price(g, p, a);
    if (a.onto != NOTHING) {
        count_card(p, a.onto, -1);
        if (p->area[a.onto] == (a.onto == OBSERVATORY ? p->face_down : 0))
            p->replaceable &= ~(1u << a.onto);
        discard(g, a.onto);
    }
    count_card(p, a.card, +1);
    if (a.card < PLAIN_KINDS)
        p->replaceable |= 1u << a.card;
    else if (a.card == CARPENTER_WORKSHOP)
        reduce_prices(p, BLUE);
    else if (a.card == GOLD_SMELTER)
        reduce_prices(p, RED);
}

/* Of equal cards on the hand one that the others have seen goes first. */
static inline void remove_from_hand(Player *p, int card)
{
    int slot = -1;
    for (int i = p->hand_size - 1; i >= 0; i--) {
        unsigned held = card_at(p->hand, i);
        if ((int)(held & KIND) != card)
            continue;
        if (slot < 0 || !(held & SECRET) || (card_at(p->hand, slot) & SECRET))
            slot = i;
    }
    p->hand = without(p->hand, slot);
    p->hand_size--;
}

static inline void add_to_hand(Player *p, int card, int secret)
{
    p->hand |= (Cards)(card | secret) << 8 * p->hand_size++;
}

/* ---- legal actions ---- */

/* The kinds onto which the card can be laid: those that make up for what the rubles fall short. */
static inline uint32_t affordable_onto(const Game *g, const Player *p, int card, bool in_row_2)
{
    int missing = p->price[card] - in_row_2 - p->rubles;
    uint32_t area = p->rubles > 0 ? p->replaceable : 0;
    return replaces[card] & area & g->figures->worth_at_least[missing > 0 ? missing : 0];
}

static inline bool has_room(const Player *p) { return p->hand_size < HAND_LIMIT + p->area[WAREHOUSE]; }

static inline void list_cards(const Game *g, const Player *p, bool room, Options *o)
{
    o->actions = 0;
    if (!room && p->rubles == 0)
        return;
    int row_1 = g->row_1, displayed = g->displayed, size = displayed + p->hand_size, actions = 0;
    uint64_t seen = 0;  /* equal cards of a row or of the hand are one action */
    memcpy(o->card, &g->display, sizeof g->display);
    memcpy(o->card + displayed, &p->hand, sizeof p->hand);
    for (int i = 0; i < size; i++) {
        int card = o->card[i] & KIND;
        bool in_display = i < displayed, in_row_2 = i >= row_1 && in_display;
        seen = i == row_1 || i == displayed ? 0 : seen;
        bool fresh = ~seen >> card & 1;
        seen |= (uint64_t)1 << card;
        o->onto[i] = affordable_onto(g, p, card, in_row_2) & -(uint32_t)fresh;
        o->actions_to[i] = actions += count_bits(o->onto[i]) + (room & in_display & fresh);
    }
    o->actions = actions;
}

static inline int nth_bit(uint32_t bits, int n)
{
    while (n--)
        bits &= bits - 1;
    return __builtin_ctz(bits);
}

static inline Action card_action(const Game *g, const Options *o, int index)
{
    int i = 0;
    while (o->actions_to[i] <= index)
        i++;
    index -= i ? o->actions_to[i - 1] : 0;
    uint32_t onto = o->onto[i];
    int card = o->card[i] & KIND, source = i < g->row_1 ? ROW_1 : i < g->displayed ? ROW_2 : HAND;
    if (index == count_bits(onto))
        return (Action){TAKE, source, i, card, NOTHING};
    return (Action){source == HAND ? PLAY : BUY, source, i, card, nth_bit(onto, index)};
}

#ifdef LIST
/* Every action in full, as an engine has to that shows them to players. */
static inline void write_list(const Game *g, const Options *o, Action *list)
{
    for (int i = 0, n = 0; n < o->actions; i++) {
        int card = o->card[i] & KIND, source = i < g->row_1 ? ROW_1 : i < g->displayed ? ROW_2 : HAND;
        for (uint32_t bits = o->onto[i]; bits; bits &= bits - 1)
            list[n++] = (Action){source == HAND ? PLAY : BUY, source, i, card, __builtin_ctz(bits)};
        if (n < o->actions_to[i])
            list[n++] = (Action){TAKE, source, i, card, NOTHING};
    }
}
#endif

/* ---- actions ---- */

static void log_separator(Game *g)
{
    if (g->actions > 1)
        fputs("; ", g->log);
}

static void log_action(Game *g, Action a)
{
    static const char *const verb[] = {"buy", "take", "play", "observe", "discard", "pass"};
    static const char *const source[] = {"", " row 2", "", " drawn"};
    log_separator(g);
    fputs(verb[a.verb], g->log);
    if (a.verb == PASS)
        return;
    if (a.verb == OBSERVE) {
        fprintf(g->log, " %s", PILE_NAME[a.card]);
        return;
    }
    fprintf(g->log, " %s%s", CARD[a.card].id, source[a.source]);
    if (a.onto != NOTHING)
        fprintf(g->log, " onto %s", CARD[a.onto].id);
}

static inline void act(Game *g, Player *p, Action a)
{
    g->actions++;
    if (g->log)
        log_action(g, a);
    if (a.verb == PASS)
        return;
    if (a.verb == OBSERVE) {
        if (++p->face_down == p->area[OBSERVATORY])
            p->replaceable &= ~(1u << OBSERVATORY);
        return;
    }
    if (a.source <= ROW_2) {
        g->display = without(g->display, a.slot);
        g->displayed--;
        g->row_1 -= a.source == ROW_1;
    } else if (a.source == HAND) {
        remove_from_hand(p, a.card);
    }
    if (a.verb == TAKE)
        add_to_hand(p, a.card, a.source == DRAWN ? SECRET : 0);
    else if (a.verb == DISCARD)
        discard(g, a.card);
    else
        lay(g, p, a);
    check(g);
}

static inline int choose(Game *g, int actions) { return actions == 1 ? 0 : (int)below(&g->generator, actions); }

static void use_observatory(Game *g, Player *p, int pile)
{
    act(g, p, (Action){OBSERVE, DRAWN, 0, pile, NOTHING});
    int card = draw(g, pile);
    uint32_t onto = affordable_onto(g, p, card, false);
    int buys = count_bits(onto), index = choose(g, buys + has_room(p) + 1);
    if (index < buys)
        act(g, p, (Action){BUY, DRAWN, 0, card, nth_bit(onto, index)});
    else
        act(g, p, (Action){index == buys && has_room(p) ? TAKE : DISCARD, DRAWN, 0, card, NOTHING});
}

/* Returns false on a pass. */
static bool take_turn(Game *g, Player *p, int phase)
{
    Options o;
    uint32_t piles = 0;
    list_cards(g, p, has_room(p), &o);
#ifdef LIST
    Action list[DISPLAY * (PLAIN_KINDS + 1) + MAX_HAND * PLAIN_KINDS];
    write_list(g, &o, list);
#endif
    if (phase == BUILDING && p->area[OBSERVATORY] > p->face_down)
        for (int pile = 0; pile < PILES; pile++)
            piles |= (uint32_t)(g->left[pile] >= 2) << pile;
    int observes = count_bits(piles), index = choose(g, o.actions + observes + 1);
    if (index < o.actions) {
#ifdef LIST
        act(g, p, list[index]);
#else
        act(g, p, card_action(g, &o, index));
#endif
    }
    else if (index < o.actions + observes)
        use_observatory(g, p, nth_bit(piles, index - o.actions));
    else
        act(g, p, (Action){PASS, DRAWN, 0, 0, NOTHING});
    return index < o.actions + observes;
}

/* ---- phases ---- */

static void fill_display(Game *g, int pile, int size)
{
    int missing = size - g->displayed;
    if (missing > g->left[pile])
        missing = g->left[pile];
    if (missing <= 0)
        return;
    Cards fresh = 0;
    for (int i = 0; i < missing; i++)
        fresh |= (Cards)draw(g, pile) << 8 * i;
    if (g->displayed > 0)  /* else a shift by all 64 bits might be due */
        fresh |= g->display << 8 * missing;
    g->display = fresh;
    g->displayed += missing;
    g->row_1 += missing;
    g->last_round |= g->left[pile] == 0;
}

/* 3.6: everybody must buy, until the display is empty. */
static void buy_first_workers(Game *g)
{
    for (int seat = g->token[WORKER]; g->displayed > 0; seat = next_seat(g, seat)) {
        Player *p = &g->player[seat];
        Options o;
        list_cards(g, p, false, &o);
        act(g, p, card_action(g, &o, choose(g, o.actions)));
    }
}

static void take_turns(Game *g, int phase)
{
    int passes = 0;
    for (int seat = g->token[phase]; passes < g->players; seat = next_seat(g, seat))
        passes = take_turn(g, &g->player[seat], phase) ? 0 : passes + 1;
}

static void score(Game *g, int phase)
{
    for (Player *p = g->player; p < g->player + g->players; p++) {
        p->rubles += p->income_rubles[phase];
        p->points += p->income_points[phase];
        if (phase == BUILDING) {
            p->points -= p->face_down * CARD[OBSERVATORY].points;
            if (p->area[MARIINSKY_THEATER])
                *(g->second_edition ? &p->points : &p->rubles) += p->cards[RED];
        } else if (phase == NOBLE && p->area[TAX_MAN]) {
            p->rubles += p->cards[GREEN];
        }
    }
}

static void visit_pubs(Game *g)
{
    int seat = g->token[BUILDING];
    for (int i = 0; i < g->players; i++, seat = next_seat(g, seat)) {
        Player *p = &g->player[seat];
        if (!p->area[PUB])
            continue;
        int most = 5 * p->area[PUB], affordable = p->rubles / 2;
        int points = choose(g, (most < affordable ? most : affordable) + 1);
        p->rubles -= 2 * points;
        p->points += points;
        g->actions++;
        if (g->log) {
            log_separator(g);
            fprintf(g->log, "pub %d", points);
        }
        check(g);
    }
}

static void end_round(Game *g)
{
    while (g->displayed > g->row_1) {
        discard(g, card_at(g->display, g->row_1));
        g->display = without(g->display, g->row_1);
        g->displayed--;
    }
    g->row_1 = 0;  /* what was row 1 is row 2 now */
    for (int i = 0; i < PILES; i++)
        g->token[i] = next_seat(g, g->token[i]);
    for (Player *p = g->player; p < g->player + g->players; p++)
        if (p->face_down) {
            p->face_down = 0;
            p->replaceable |= 1u << OBSERVATORY;
        }
    g->round++;
    check(g);
}

static void score_final(Game *g)
{
    static const uint8_t noble_points[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    for (int i = 0; i < g->players; i++) {
        const Player *p = &g->player[i];
        Result *r = &g->result[i];
        int different = 0;
        for (int k = AUTHOR; k <= MISTRESS_OF_CEREMONIES; k++)
            different += p->area[k] > 0;
        for (int k = ABBOT; k <= CZARINA; k++)
            different += p->area[k] > 0;
        r->track = p->points;
        r->nobles = noble_points[different < 10 ? different : 10];
        r->rubles = p->rubles / 10;
        r->rubles_left = p->rubles % 10;
        r->hand = -5 * p->hand_size;
        r->total = r->track + r->nobles + r->rubles + r->hand;
        r->tie = g->second_edition ? r->rubles_left : p->rubles;
    }
    for (Result *r = g->result; r < g->result + g->players; r++) {
        r->place = 1;
        for (const Result *o = g->result; o < g->result + g->players; o++)
            r->place += o->total > r->total || (o->total == r->total && o->tie > r->tie);
    }
}

static void play(Game *g)
{
    for (;;) {
        for (int phase = 0; phase < PILES; phase++) {
            bool first = g->round == 1 && phase == WORKER;
            fill_display(g, phase, first ? 2 * g->players : DISPLAY);
            if (first && g->second_edition)
                buy_first_workers(g);
            else
                take_turns(g, phase);
            if (phase != EXCHANGE)
                score(g, phase);
            if (phase == BUILDING)
                visit_pubs(g);
        }
        if (g->last_round)
            break;
        end_round(g);
    }
    score_final(g);
}

/* ---- commands ---- */

static void shuffle(Generator *r, uint8_t *list, int size)
{
    Generator own = *r;  /* in registers: a byte of the list might be one of *r for all the compiler knows */
    for (int i = size - 1; i > 0; i--) {
        int j = below(&own, i + 1);
        uint8_t swapped = list[i];
        list[i] = list[j];
        list[j] = swapped;
    }
    *r = own;
}

/* 2.3: two players have two tokens each; of three the youngest has two. */
static void deal_tokens(Game *g, int players)
{
    int youngest = below(&g->generator, players);
    for (int i = 0; i < PILES; i++)
        g->token[i] = i < players ? i : players == 2 ? i - 2 : youngest;
    shuffle(&g->generator, g->token, PILES);
}

static double now(void)
{
    const char *processor = getenv("NEVSKY_BENCH_PROCESSOR"); // as in nevsky/bench.py
    if (processor && *processor)
        return (double)clock() / CLOCKS_PER_SEC;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void bench(int edition, int players, double seconds)
{
    static Game game;
    Game *g = &game;
    volatile int total = 0;  /* keeps the final scoring alive */
    long long games = 0, actions = 0;
    g->generator = (Generator){{1703, 5, 27, 2004}};
    int size[PILES] = {0};
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < CARD[k].copies; i++)
            g->pile[CARD[k].pile][size[CARD[k].pile]++] = k;

    double start = now(), elapsed;
    do {
        for (int i = 0; i < 200; i++) {
            for (int pile = 0; pile < PILES; pile++)
                shuffle(&g->generator, g->pile[pile], PILE_SIZE[pile]);
            deal_tokens(g, players);
            set_up(g, edition, players);
            play(g);
            games++;
            actions += g->actions;
            total = g->result[0].total * 10 + g->result[0].place;
        }
        elapsed = now() - start;
    } while (elapsed < seconds);
    (void)total;
    printf("games %lld seconds %.3f games_per_second %.0f actions_per_second %.0f\n", games, elapsed,
           games / elapsed, actions / elapsed);
}

static bool valid_table(int edition, int players)
{
    return (edition == 1 || edition == 2) && players >= 2 && players <= MAX_PLAYERS;
}

static const char *read_pile(Game *g, int pile, char *text)
{
    int copies[KINDS] = {0}, size = 0;
    static const char *const blanks = " \t\r\n";
    for (char *id = strtok(text, blanks); id; id = strtok(NULL, blanks)) {
        int k = 0;
        while (k < KINDS && strcmp(id, CARD[k].id))
            k++;
        if (k == KINDS)
            return "unknown card";
        if (CARD[k].pile != pile)
            return "card in the wrong pile";
        if (++copies[k] > CARD[k].copies)
            return "too many copies of a card";
        g->pile[pile][PILE_SIZE[pile] - ++size] = k;
    }
    return size == PILE_SIZE[pile] ? NULL : "pile not complete";
}

/* Returns what is wrong with the line, NULL if nothing is. */
static const char *read_game(Game *g, char *line)
{
    char *part[PILES + 1] = {line};
    for (int i = 1; i <= PILES; i++) {
        if (!(part[i] = strchr(part[i - 1], '|')))
            return "five parts separated by | expected";
        *part[i]++ = 0;
    }
    int edition, players, token[PILES], end = 0;
    int64_t s[4];
    sscanf(part[0], "%d %d %d %d %d %d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %n", &edition, &players,
           &token[WORKER], &token[BUILDING], &token[NOBLE], &token[EXCHANGE], &s[0], &s[1], &s[2], &s[3], &end);
    if (!end || part[0][end])
        return "edition, players, four seats and four words expected";
    if (!valid_table(edition, players))
        return "edition 1 or 2 and 2 to 4 players expected";
    for (int i = 0; i < PILES; i++) {
        if (token[i] < 0 || token[i] >= players)
            return "no such seat";
        g->token[i] = token[i];
    }
    for (int i = 0; i < 4; i++) {
        if (s[i] < 0 || s[i] > UINT32_MAX)
            return "not a 32-bit word";
        g->generator.s[i] = s[i];
    }
    if (!(s[0] | s[1] | s[2] | s[3]))
        return "the generator cannot start from zero";
    for (int pile = 0; pile < PILES; pile++) {
        const char *wrong = read_pile(g, pile, part[pile + 1]);
        if (wrong)
            return wrong;
    }
    set_up(g, edition, players);
    return NULL;
}

static int play_stdin(void)
{
    static Game g;
    static char line[8192];
    g.log = stdout;
    for (long number = 1; fgets(line, sizeof line, stdin); number++) {
        const char *wrong = strlen(line) == sizeof line - 1 ? "line too long" : read_game(&g, line);
        if (wrong) {
            fprintf(stderr, "kernel: line %ld: %s\n", number, wrong);
            return 2;
        }
        play(&g);
        fputs(" |", stdout);
        for (const Result *r = g.result; r < g.result + g.players; r++)
            printf(" %d:%d:%d:%d:%d:%d:%d", r->track, r->nobles, r->rubles, r->hand, r->total, r->rubles_left,
                   r->place);
        putchar('\n');
    }
    return 0;
}

int main(int argc, char **argv)
{
    prepare_tables();
    if (argc == 2 && !strcmp(argv[1], "play"))
        return play_stdin();
    if (argc == 5 && !strcmp(argv[1], "bench") && valid_table(atoi(argv[2]), atoi(argv[3]))) {
        bench(atoi(argv[2]), atoi(argv[3]), atof(argv[4]));
        return 0;
    }
    fputs("usage: kernel bench EDITION PLAYERS SECONDS\n       kernel play\n", stderr);
    return 2;
}
