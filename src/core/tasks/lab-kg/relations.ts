/** Names by their first part, which is the domain they belong to. */
type ByDomain = Readonly<Record<string, string>>

const getReferences = (domains: ByDomain): readonly string[] =>
  Object.entries(domains).flatMap(([domain, names]) => names.split(' ').map((name) => `${domain}.${name}`))

/** Relations of Freebase that tasks of the benchmark lead along: entities of a derived graph have some of them besides those that count. */
export const RELATIONS = getReferences({
  amusement_parks: 'park.areas',
  architecture:
    'architect.architectural_style architectural_style.architects architecture_firm.projects building.building_function landscape_project.landscape_architect museum.type_of_museum type_of_museum.museums',
  astronomy:
    'astronomer.astronomical_objects_discovered astronomical_discovery.discovery_technique celestial_object_category.objects celestial_object_category.subcategories galaxy_classification_code.galaxies_of_this_code',
  automotive:
    'automotive_class.examples generation.make model.automotive_class model.related_models similar_automobile_models.related_model',
  aviation: 'accident_type.aircraft_accidents_of_this_type airline.hubs',
  biology:
    'animal_breed.temperament animal_owner.animals_owned animal_ownership.animal breed_origin.breeds_originating_here breed_temperament.breeds chromosome.gene gene_ontology_group.narrower_group organism.organism_type',
  book: 'author.series_written_or_contributed_to author.works_written book_edition.isbn book_edition_series.editions_in_this_series editor_title.editors editorial_tenure.periodical isbn.book_editions literary_series.works_in_this_series periodical_editor.periodicals_edited poem.meter poetic_verse_form.poems_of_this_form report_issuing_institution.technical_reports_issued reviewed_work.reviews_of_this_work translated_work.translations translation.translation_of',
  broadcast: 'content.broadcast content.producer genre.content producer.produces',
  business: 'board_member.leader_of board_member.organization_board_memberships brand.products',
  comic_books:
    'comic_book_character.regular_featured_appearances comic_book_issue.characters_on_cover comic_book_letterer.comic_stories_lettered',
  computer:
    'computer.key_designers computer_designer.computers_designed computer_peripheral.supporting_game_versions file_format.format_creator file_format.genre file_format_genre.file_formats programming_language.influenced programming_language.language_paradigms programming_language_designer.languages_designed programming_language_developer.programming_languages_developed software.languages_used software_developer.software',
  conferences:
    'conference.series conference_series.subject conference_sponsor.conferences conference_subject.specific_conferences_about_this type_of_conference.conferences_of_this_type',
  cricket: 'cricket_tournament.events',
  cvg: 'computer_game_distribution_system.games_distributed computer_game_distribution_system.platforms_supported computer_game_engine.successor_engine computer_game_region.versions_released_in_this_region computer_videogame.designers computer_videogame.developer cvg_developer.game_versions_developed cvg_genre.games cvg_publisher.games_published game_version.developer game_version.game game_version.regions video_game_soundtrack.video_game',
  digicams:
    'camera_color_filter_array_type.cameras camera_compressed_format.cameras camera_iso.cameras camera_sensor_manufacturer.cameras digital_camera.format digital_camera.sensor_type digital_camera.supported_storage_types',
  dining: 'cuisine.dishes',
  distilled_spirits: 'blended_spirit_style.blends distilled_spirit_type.blends distilled_spirit_type.spirits',
  education:
    'academic.research_areas education.student educational_degree.people_with_this_degree educational_institution.parent_institution field_of_study.subdiscipline_of field_of_study.subdisciplines school_mascot.school',
  exhibitions:
    'exhibition.exhibition_types exhibition.subjects exhibition_curator.exhibitions_curated type_of_exhibition.exhibitions_of_this_type',
  fictional_universe:
    'character_occupation.characters_with_this_occupation character_rank.characters_of_this_rank character_species.characters_of_this_species character_species.found_in_fictional_universe event_in_fiction.includes_events fictional_character.married_to fictional_character.powers_or_abilities fictional_character.rank fictional_character.siblings fictional_setting.characters_that_have_lived_here fictional_setting.languages fictional_setting.universe fictional_universe.characters fictional_universe.created_by fictional_universe.locations fictional_universe.species fictional_universe.works_set_here fictional_universe_creator.fictional_universes_created marriage_of_fictional_characters.spouses medical_condition_in_fiction.characters_with_this_condition school_in_fiction.students_graduates sibling_relationship_of_fictional_characters.siblings type_of_fictional_setting.settings work_of_fiction.events work_of_fiction.part_of_these_fictional_universes',
  food: 'beer.from_region candy_bar_manufacturer.candy_bars cheese.texture cheese_milk_source.cheeses cheese_texture.cheeses culinary_tool.used_in_recipes diet.followers diet_follower.follows_diet dish.type_of_dish1 ingredient.dishes ingredient.recipes recipe.part_of_recipe_collection recipe_ingredient.recipe tea.tea_type wine_style.grape_varieties',
  government:
    'government_position_held.office_position_or_title governmental_jurisdiction.governing_officials political_appointer.appointees',
  ice_hockey: 'hockey_conference.divisions',
  interests:
    'collection_activity.type_of_thing_collected collection_category.items_in_this_category collection_category.name_of_collection_activity',
  internet: 'api.protocols api.site protocol.api website_owner.websites_owned website_status.sites',
  language: 'human_language.dialects',
  law: 'constitution.amendments legal_case.subject',
  location: 'country.form_of_government',
  martial_arts: 'martial_art.category martial_art_category.martial_arts',
  measurement_unit:
    'force_moment_unit.measurement_system luminous_flux_unit.measurement_system magnetic_field_strength_unit.measurement_system magnetic_flux_unit.measurement_system measurement_system.volume_units',
  media_common:
    'literary_genre.books_in_this_genre media_genre.child_genres netflix_genre.titles netflix_title.netflix_genres',
  medicine:
    'cancer_center.constituents disease.medical_specialties drug.marketed_formulations drug_formulation.dosage_form drug_ingredient.active_moiety_of_formulation infectious_disease.infectious_agent_type symptom.includes_symptoms symptom.side_effect_of type_of_infectious_agent.diseases vector_of_disease.disease',
  meteorology: 'tropical_cyclone.category tropical_cyclone_category.tropical_cyclones',
  music:
    'album.releases album_content_type.albums artist.track artist.track_contributions composer.compositions composition.recorded_as_album compositional_form.compositions compositional_form.subforms concert_tour.artist engineer.releases_engineered featured_artist.recordings genre.albums genre.subgenre performance_venue.concerts producer.releases_produced recording.canonical_version recording.engineer recording.featured_artists recording.releases release.engineers release.track track_contribution.track',
  olympics:
    'olympic_bidding_city.olympics_bid_on olympic_city_bid.olympic_games olympic_games.demonstration_sports olympic_games.participating_countries',
  opera: 'opera_company.operas_produced',
  organization:
    'leadership.organization organization.organization_type organization_board_membership.organization organization_type.organizations_of_this_type',
  people:
    'ethnicity.people person.ethnicity profession.part_of_professional_field profession.people_with_this_profession profession.specializations',
  physics: 'fundamental_interaction.particles',
  radio: 'radio_program.episodes',
  rail: 'locomotive_builder.locomotive_classes_built locomotive_class.subclasses',
  religion: 'belief.belief_of religion.holidays religion.practices religion.texts',
  royalty: 'kingdom.rulers noble_rank.used_in royal_line.preceded_by system_rank_relationship.system',
  soccer: 'football_league.seasons',
  spaceflight:
    'bipropellant_rocket_engine.fuel rocket.satellites_launched rocket_engine.designed_by rocket_engine.status rocket_engine_cycle.rocket_engines rocket_engine_fuel.rocket_engines rocket_engine_status.rocket_engines rocket_status.rockets satellite_manufacturer.spacecraft_manufactured space_program_sponsor.space_programs_sponsored',
  sports: 'multi_event_tournament.events pro_athlete.teams sports_team_roster.team',
  symbols: 'coat_of_arms.crest',
  time: 'calendar.days_of_week day_of_year.holidays holiday.featured_in_religions holiday_period.holidays',
  tv: 'tv_director.episodes_directed tv_director.tv_segments_directed tv_program.filming_locations tv_program.seasons tv_segment_song_relationship.performers tv_song.episode_segments tv_subject.tv_episode_segments',
  wine: 'wine_color.wines wine_producer.wines',
})

/** Attributes of Freebase that tasks of the benchmark compare by. */
export const ATTRIBUTES = getReferences({
  astronomy: 'celestial_object.cosmological_distance star.temperature_k',
  book: 'written_work.copyright_date written_work.date_of_first_publication written_work.date_written',
  computer: 'programming_language.introduced software.first_released',
  digicams: 'digital_camera.weight',
  distilled_spirits: 'blended_spirit.abv',
  food: 'candy_bar.introduced recipe.preparation_time',
  medicine: 'manufactured_drug_form.size',
  meteorology: 'tropical_cyclone.formed',
  music: 'composition.date_of_first_performance recording.length release.release_date',
  people: 'person.height_meters',
  royalty: 'system_of_nobility.used_from_date',
  spaceflight: 'bipropellant_rocket_engine.chamber_pressure space_program.started',
  time: 'day_of_week.sequence_number',
  tv: 'tv_series_season.number_of_episodes',
})
