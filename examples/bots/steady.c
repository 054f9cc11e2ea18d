/* A bot in C: lays the card that earns most over the rounds to come, and never fills its hand.
 *
 *     cc -O2 -o steady steady.c
 *     nevsky arena --bot-cmd ./steady --bot random
 *
 * It reads one JSON object per line. Since the arena always writes them the same way, looking for the
 * few fields it needs is enough; docs/bots.md describes all of them. It knows the cards of the base game.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct card { const char *id; int cost, rubles, points, noble; };

static const struct card cards[] = {
    {"lumberjack", 3, 3, 0, 0}, {"gold_miner", 4, 3, 0, 0}, {"shepherd", 5, 3, 0, 0},
    {"fur_trapper", 6, 3, 0, 0}, {"ship_builder", 7, 3, 0, 0}, {"czar_and_carpenter", 8, 3, 0, 0},
    {"market", 5, 0, 1, 0}, {"customs_house", 8, 0, 2, 0}, {"firehouse", 11, 0, 3, 0}, {"hospital", 14, 0, 4, 0},
    {"library", 17, 0, 5, 0}, {"theater", 20, 0, 6, 0}, {"academy", 23, 0, 7, 0}, {"observatory", 7, 0, 1, 0},
    {"author", 4, 1, 0, 1}, {"administrator", 7, 2, 0, 1}, {"warehouse_manager", 10, 3, 0, 1},
    {"secretary", 12, 4, 0, 1}, {"controller", 14, 4, 1, 1}, {"judge", 17, 5, 2, 1},
    {"mistress_of_ceremonies", 20, 6, 3, 1},
    {"carpenter_workshop", 4, 3, 0, 0}, {"gold_smelter", 6, 3, 0, 0}, {"weaving_mill", 8, 6, 0, 0},
    {"fur_shop", 10, 3, 2, 0}, {"wharf", 12, 6, 1, 0},
    {"bank", 13, 5, 1, 0}, {"peterhof", 14, 4, 2, 0}, {"st_isaacs_cathedral", 15, 3, 3, 0},
    {"church_of_the_resurrection", 16, 2, 4, 0}, {"harbor", 16, 5, 2, 0}, {"catherine_palace", 17, 1, 5, 0},
    {"smolny_cathedral", 17, 4, 3, 0}, {"hermitage", 18, 3, 4, 0}, {"winter_palace", 19, 2, 5, 0},
    {"abbot", 6, 1, 1, 1}, {"chamber_maid", 8, 0, 2, 1}, {"weapon_master", 8, 4, 0, 1}, {"builder", 10, 5, 0, 1},
    {"senator", 12, 2, 2, 1}, {"patriarch", 16, 0, 4, 1}, {"admiral", 18, 3, 3, 1},
    {"foreign_minister", 20, 2, 4, 1}, {"czarina", 24, 0, 6, 1},
};

static const struct card *find(const char *text)
{
    size_t length = strcspn(text, " :\"");
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (strlen(cards[i].id) == length && !strncmp(cards[i].id, text, length))
            return &cards[i];
    return NULL;
}

/* Points until the end of the game: two rubles are worth about one of them. */
static double worth(const struct card *card, int rounds)
{
    return rounds * (card->points + card->rubles / 2.0) + 3 * card->noble;
}

static double value(const char *action, int round)
{
    int rounds = round < 7 ? 7 - round : 1;
    if (!strncmp(action, "pass", 4))
        return 0;
    if (strncmp(action, "buy ", 4) && strncmp(action, "play ", 5))
        return strncmp(action, "take ", 5) ? -1 : -2;
    const struct card *card = find(strchr(action, ' ') + 1);
    if (!card)
        return -1;
    double gain = worth(card, rounds), cost = card->cost;
    const char *onto = strstr(action, "onto ");
    const struct card *below = onto ? find(onto + 5) : NULL;
    if (below) {
        gain -= worth(below, rounds);
        cost -= below->cost;
    }
    if (strstr(action, "row 2"))
        cost -= 1;
    return gain - (cost > 1 ? cost : 1) / 2;
}

static int number(const char *line, const char *field)
{
    const char *found = strstr(line, field);
    return found ? atoi(found + strlen(field)) : 0;
}

static void decide(char *line)
{
    int id = number(line, "\"id\":"), round = number(line, "\"round\":");
    char *legal = strstr(line, "\"legal\":[");
    char *end = legal ? strchr(legal, ']') : NULL;
    if (!end)
        return;
    *end = '\0'; /* texts of actions contain no brackets */
    char best[200] = "";
    double most = 0;
    for (char *text = strtok(legal + strlen("\"legal\":["), ",\""); text; text = strtok(NULL, ",\"")) {
        double found = value(text, round);
        if (!*best || found > most) {
            most = found;
            snprintf(best, sizeof best, "%s", text);
        }
    }
    printf("{\"id\":%d,\"action\":\"%s\"}\n", id, best);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\""))
            printf("{\"id\":%d,\"protocol\":1,\"name\":\"steady\"}\n", number(line, "\"id\":"));
        else if (strstr(line, "\"type\":\"decide\""))
            decide(line);
        fflush(stdout); /* an answer that stays in a buffer comes too late */
    }
    free(line);
    return 0;
}
